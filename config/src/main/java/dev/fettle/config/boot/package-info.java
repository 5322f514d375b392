/** Spring Boot: knobs as its properties, written and read in its own order of places. */
@NullMarked
package dev.fettle.config.boot;

import org.jspecify.annotations.NullMarked;
