@NullMarked
package dev.fettle.load;

import org.jspecify.annotations.NullMarked;
