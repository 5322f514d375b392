/** All that can be seen of a running process, in one archive. */
@NullMarked
package dev.fettle.lab.capture;

import org.jspecify.annotations.NullMarked;
