@NullMarked
package dev.fettle.cli;

import org.jspecify.annotations.NullMarked;
