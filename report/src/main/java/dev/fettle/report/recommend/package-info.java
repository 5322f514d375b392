/** The settings a conclusion recommends, and why. */
@NullMarked
package dev.fettle.report.recommend;

import org.jspecify.annotations.NullMarked;
