/** Converts HAR files and curl command lines into scenarios. Pure: text in, YAML out. */
@NullMarked
package dev.fettle.model.imports;

import org.jspecify.annotations.NullMarked;
