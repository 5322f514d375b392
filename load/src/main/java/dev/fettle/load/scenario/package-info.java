/** Scenarios of several steps: compiled once, followed by each user with variables, cookies, conditions and extractions. */
@NullMarked
package dev.fettle.load.scenario;

import org.jspecify.annotations.NullMarked;
