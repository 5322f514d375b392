/** Targets, and the hooks around them. */
@NullMarked
package dev.fettle.model.target;

import org.jspecify.annotations.NullMarked;
