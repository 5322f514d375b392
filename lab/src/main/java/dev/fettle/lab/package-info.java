/**
 * Runs trials: launches the target, applies the setting, warms up, drives load, watches, judges and journals. All of Fettle's
 * side effects live here. {@link dev.fettle.lab.Lab} owns the loop that runs an {@link dev.fettle.insight.Experiment}.
 */
@NullMarked
package dev.fettle.lab;

import org.jspecify.annotations.NullMarked;
