/** Running targets: readiness, effective values, the agent. */
@NullMarked
package dev.fettle.lab.target;

import org.jspecify.annotations.NullMarked;
