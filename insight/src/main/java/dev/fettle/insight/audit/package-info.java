/** What settings are worth here and now: rules held against what was found, alone and together, and what probes said. */
@NullMarked
package dev.fettle.insight.audit;

import org.jspecify.annotations.NullMarked;
