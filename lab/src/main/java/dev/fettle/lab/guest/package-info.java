/** A process that runs already: a look at it, its live knobs, and what is owed to it. */
@NullMarked
package dev.fettle.lab.guest;

import org.jspecify.annotations.NullMarked;
