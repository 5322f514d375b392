/** Results of many runs over time: when, and with which commit, a figure changed. */
@NullMarked
package dev.fettle.insight.history;

import org.jspecify.annotations.NullMarked;
