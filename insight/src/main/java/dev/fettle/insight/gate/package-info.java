/** Decides whether a trial may be used: rules, advisories, steady state, stolen CPU time. */
@NullMarked
package dev.fettle.insight.gate;

import org.jspecify.annotations.NullMarked;
