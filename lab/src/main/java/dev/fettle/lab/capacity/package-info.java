/** Probes for the search of the highest rate, and spikes. */
@NullMarked
package dev.fettle.lab.capacity;

import org.jspecify.annotations.NullMarked;
