/** A process's settings: shell words, JVM flags, units and manifests. */
@NullMarked
package dev.fettle.config.process;

import org.jspecify.annotations.NullMarked;
