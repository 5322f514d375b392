/** A target that is up: readiness, values in force, the agent inside. */
@NullMarked
package dev.fettle.lab.target;

import org.jspecify.annotations.NullMarked;
