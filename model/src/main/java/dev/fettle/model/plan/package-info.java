/** Plans as records: experiments, objective, SLO, conditions. */
@NullMarked
package dev.fettle.model.plan;

import org.jspecify.annotations.NullMarked;
