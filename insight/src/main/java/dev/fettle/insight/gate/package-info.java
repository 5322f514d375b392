/** Whether a trial may be used: rules, advisories, steadiness, stolen time. */
@NullMarked
package dev.fettle.insight.gate;

import org.jspecify.annotations.NullMarked;
