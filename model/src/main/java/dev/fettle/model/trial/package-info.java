/** One trial, and what came of it. */
@NullMarked
package dev.fettle.model.trial;

import org.jspecify.annotations.NullMarked;
