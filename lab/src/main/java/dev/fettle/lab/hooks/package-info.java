/** The commands a plan runs around its trials. */
@NullMarked
package dev.fettle.lab.hooks;

import org.jspecify.annotations.NullMarked;
