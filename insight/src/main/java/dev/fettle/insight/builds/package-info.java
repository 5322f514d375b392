/** A gate: is one build of a program slower than another? */
@NullMarked
package dev.fettle.insight.builds;

import org.jspecify.annotations.NullMarked;
