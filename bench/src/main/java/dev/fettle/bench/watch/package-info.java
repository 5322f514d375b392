/** What watching a server costs it. */
@NullMarked
package dev.fettle.bench.watch;

import org.jspecify.annotations.NullMarked;
