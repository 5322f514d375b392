/** Figures over time: who reads them, and what keeps them. */
@NullMarked
package dev.fettle.watch.signal;

import org.jspecify.annotations.NullMarked;
