/** What limits the server, from one operating point and the trials around it. */
@NullMarked
package dev.fettle.insight.explain;

import org.jspecify.annotations.NullMarked;
