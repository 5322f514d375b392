/** What a JVM wrote about its own end. */
@NullMarked
package dev.fettle.watch.crash;

import org.jspecify.annotations.NullMarked;
