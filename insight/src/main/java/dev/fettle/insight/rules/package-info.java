/** The one form that rules have: those of the gate, its advice, and a diagnosis. */
@NullMarked
package dev.fettle.insight.rules;

import org.jspecify.annotations.NullMarked;
