/** What cannot work together in a setting, and what would. */
@NullMarked
package dev.fettle.model.constraint;

import org.jspecify.annotations.NullMarked;
