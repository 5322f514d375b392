/** What rules consist of besides their code: ids, bounds, words, and what they are about. */
@NullMarked
package dev.fettle.model.rule;

import org.jspecify.annotations.NullMarked;
