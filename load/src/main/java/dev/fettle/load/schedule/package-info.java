/** When things happen: due times of the open model, the load's own time, alarms and time-outs of an engine thread. */
@NullMarked
package dev.fettle.load.schedule;

import org.jspecify.annotations.NullMarked;
