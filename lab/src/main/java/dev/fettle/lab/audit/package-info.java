/** Settings of this machine and of running JVMs, and settings tried on what they are for. */
@NullMarked
package dev.fettle.lab.audit;

import org.jspecify.annotations.NullMarked;
