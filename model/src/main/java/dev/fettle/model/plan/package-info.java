/** What a user wants, as records. */
@NullMarked
package dev.fettle.model.plan;

import org.jspecify.annotations.NullMarked;
