/** How a plan's keys are declared: what each is, and which values are right. Reader and JSON Schema both follow from it. */
@NullMarked
package dev.fettle.model.key;

import org.jspecify.annotations.NullMarked;
