/** Text formats: units, JSON, nearest names, masking of secrets. */
@NullMarked
package dev.fettle.model.text;

import org.jspecify.annotations.NullMarked;
