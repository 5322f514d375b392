/**
 * Fettle's domain model as immutable records, and the reading of plans. Depends on no other part of Fettle.
 *
 * <p>Every record has a JSON form (see {@link dev.fettle.model.text.Json}); the journal and the reports use it.
 */
@NullMarked
package dev.fettle.model;

import org.jspecify.annotations.NullMarked;
