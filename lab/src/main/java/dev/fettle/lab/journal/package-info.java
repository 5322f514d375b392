/** The durable record of every run. */
@NullMarked
package dev.fettle.lab.journal;

import org.jspecify.annotations.NullMarked;
