/** Published figures, checked against the laws that a trial of one's own has to obey. */
@NullMarked
package dev.fettle.insight.judge;

import org.jspecify.annotations.NullMarked;
