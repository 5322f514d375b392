/** Tools of the scripts in {@code bench/}: what a shell cannot do. No part of the product. */
@NullMarked
package dev.fettle.bench;

import org.jspecify.annotations.NullMarked;
