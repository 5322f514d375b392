/** Who waits for whom: from the stacks of a few moments to the end of the chain of those who wait. */
@NullMarked
package dev.fettle.insight.waits;

import org.jspecify.annotations.NullMarked;
