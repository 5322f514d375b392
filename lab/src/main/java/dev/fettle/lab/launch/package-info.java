/** Brings a target up, whatever kind it is. */
@NullMarked
package dev.fettle.lab.launch;

import org.jspecify.annotations.NullMarked;
