/** Unified diffs, written and applied. */
@NullMarked
package dev.fettle.config.patch;

import org.jspecify.annotations.NullMarked;
