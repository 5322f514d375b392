/** Searching and checking bytes where they lie, without making strings of them. */
@NullMarked
package dev.fettle.load.bytes;

import org.jspecify.annotations.NullMarked;
