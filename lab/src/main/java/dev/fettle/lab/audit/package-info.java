/** Reads the settings of this machine and of running JVMs, and tries settings on the software they are for. */
@NullMarked
package dev.fettle.lab.audit;

import org.jspecify.annotations.NullMarked;
