/** Settings as they are found in files, texts and on machines, and what is known of them. */
@NullMarked
package dev.fettle.model.audit;

import org.jspecify.annotations.NullMarked;
