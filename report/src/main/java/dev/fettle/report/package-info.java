@NullMarked
package dev.fettle.report;

import org.jspecify.annotations.NullMarked;
