/** Launches targets of every kind. */
@NullMarked
package dev.fettle.lab.launch;

import org.jspecify.annotations.NullMarked;
