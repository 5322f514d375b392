/** The attempts so far, as all experiments see them. */
@NullMarked
package dev.fettle.insight.trials;

import org.jspecify.annotations.NullMarked;
