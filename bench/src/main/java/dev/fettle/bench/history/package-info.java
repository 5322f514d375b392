/** The search for change points, held against Apache Otava's. */
@NullMarked
package dev.fettle.bench.history;

import org.jspecify.annotations.NullMarked;
