@NullMarked
package dev.fettle.watch;

import org.jspecify.annotations.NullMarked;
