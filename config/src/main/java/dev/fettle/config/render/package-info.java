/** A setting as the server's own configuration, place by place. */
@NullMarked
package dev.fettle.config.render;

import org.jspecify.annotations.NullMarked;
