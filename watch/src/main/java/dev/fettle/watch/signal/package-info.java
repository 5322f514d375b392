/** Figures over time: the interface of their sources, and the recorder that keeps them. */
@NullMarked
package dev.fettle.watch.signal;

import org.jspecify.annotations.NullMarked;
