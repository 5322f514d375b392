/**
 * Draws conclusions from measurements: whether a trial may be used ({@link dev.fettle.insight.gate.ValidityGate}), whether a
 * target is warm ({@link dev.fettle.insight.gate.SteadyState}), what limits it ({@link dev.fettle.insight.diagnose.Diagnosis}),
 * which trial comes next and what is proven ({@link dev.fettle.insight.Experiment}).
 *
 * <p>Everything here is a pure function: no input or output, no clock, no thread, randomness from a seed.
 */
@NullMarked
package dev.fettle.insight;

import org.jspecify.annotations.NullMarked;
