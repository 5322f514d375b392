@NullMarked
package dev.fettle.target;

import org.jspecify.annotations.NullMarked;
