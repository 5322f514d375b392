/** Searching and checking bytes in place, without making strings of them. */
@NullMarked
package dev.fettle.load.bytes;

import org.jspecify.annotations.NullMarked;
