/** Spring Boot: knobs as its properties, written, and read in its own order of precedence. */
@NullMarked
package dev.fettle.config.boot;

import org.jspecify.annotations.NullMarked;
