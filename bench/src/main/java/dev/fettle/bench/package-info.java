/** Tools of the scripts in {@code bench/}, for what a shell cannot do. Not part of the product. */
@NullMarked
package dev.fettle.bench;

import org.jspecify.annotations.NullMarked;
