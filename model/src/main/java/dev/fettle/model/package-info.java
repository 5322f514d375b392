@NullMarked
package dev.fettle.model;

import org.jspecify.annotations.NullMarked;
