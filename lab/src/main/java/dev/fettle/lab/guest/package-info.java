/** Processes that were already running: inspecting them, their live knobs, and restoring these. */
@NullMarked
package dev.fettle.lab.guest;

import org.jspecify.annotations.NullMarked;
