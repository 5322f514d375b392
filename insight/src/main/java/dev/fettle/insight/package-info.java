@NullMarked
package dev.fettle.insight;

import org.jspecify.annotations.NullMarked;
