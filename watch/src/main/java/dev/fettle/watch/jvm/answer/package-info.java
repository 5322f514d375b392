/**
 * What is made of a JVM's answers in place of the JDK's hash tables: the same contents as lists. A table asks its keys for their hash codes
 * while it is read, and those of sets within sets take time without end.
 */
@NullMarked
package dev.fettle.watch.jvm.answer;

import org.jspecify.annotations.NullMarked;
