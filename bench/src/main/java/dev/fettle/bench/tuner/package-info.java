/** The proof of the tuner: known surfaces, replayed on a virtual clock. */
@NullMarked
package dev.fettle.bench.tuner;

import org.jspecify.annotations.NullMarked;
