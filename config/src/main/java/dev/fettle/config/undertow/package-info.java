/** Undertow: the code that builds it, and WildFly's management model. */
@NullMarked
package dev.fettle.config.undertow;

import org.jspecify.annotations.NullMarked;
