/** One trial, and its outcome. */
@NullMarked
package dev.fettle.model.trial;

import org.jspecify.annotations.NullMarked;
