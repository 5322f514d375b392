/**
 * What settings are worth here and now: rules applied to the settings found, alone and together, and the results of
 * probes.
 */
@NullMarked
package dev.fettle.insight.audit;

import org.jspecify.annotations.NullMarked;
