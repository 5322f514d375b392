/** Checks on a real server that a rendered configuration does what it says. */
@NullMarked
package dev.fettle.lab.check;

import org.jspecify.annotations.NullMarked;
