/** Settings found in files, texts and machines, and the rules that judge them. */
@NullMarked
package dev.fettle.model.audit;

import org.jspecify.annotations.NullMarked;
