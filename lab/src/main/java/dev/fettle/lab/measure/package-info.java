/** Load and watch on a target, and the measurement that comes of it. */
@NullMarked
package dev.fettle.lab.measure;

import org.jspecify.annotations.NullMarked;
