/** How values are written: units, JSON, the nearest name, and what is kept secret in texts. */
@NullMarked
package dev.fettle.model.text;

import org.jspecify.annotations.NullMarked;
