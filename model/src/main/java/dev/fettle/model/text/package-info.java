/** Text formats: units, JSON, the tables that Fettle ships, nearest names, masking of secrets. */
@NullMarked
package dev.fettle.model.text;

import org.jspecify.annotations.NullMarked;
