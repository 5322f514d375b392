/** Loads and watches a target, and turns that into a measurement. */
@NullMarked
package dev.fettle.lab.measure;

import org.jspecify.annotations.NullMarked;
