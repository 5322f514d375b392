/** Settings in configuration files and in texts about them, with their places; texts in, settings out. */
@NullMarked
package dev.fettle.config.audit;

import org.jspecify.annotations.NullMarked;
