/** What a conclusion says to set, and why. */
@NullMarked
package dev.fettle.report.recommend;

import org.jspecify.annotations.NullMarked;
