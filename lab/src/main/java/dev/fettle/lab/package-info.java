@NullMarked
package dev.fettle.lab;

import org.jspecify.annotations.NullMarked;
