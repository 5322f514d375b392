/** The attempts so far, in the form all experiments use. */
@NullMarked
package dev.fettle.insight.trials;

import org.jspecify.annotations.NullMarked;
