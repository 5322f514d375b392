/** Histograms of heaps that JVMs have printed. */
@NullMarked
package dev.fettle.watch.heap;

import org.jspecify.annotations.NullMarked;
