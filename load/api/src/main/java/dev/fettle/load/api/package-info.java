/**
 * The values that say what load is sent and how an attempt ended: the plan's and the engine's. They depend on nothing.
 */
@NullMarked
package dev.fettle.load.api;

import org.jspecify.annotations.NullMarked;
