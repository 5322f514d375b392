/** Jetty's ini files. */
@NullMarked
package dev.fettle.config.jetty;

import org.jspecify.annotations.NullMarked;
