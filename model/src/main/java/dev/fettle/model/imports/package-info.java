/** Turns what others have recorded into scenarios: HAR files and curl command lines. Pure: text in, YAML out. */
@NullMarked
package dev.fettle.model.imports;

import org.jspecify.annotations.NullMarked;
