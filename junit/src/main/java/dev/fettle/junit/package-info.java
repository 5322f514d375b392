/**
 * Load tests as JUnit tests: {@link dev.fettle.junit.Fettle} for a server that runs, {@link dev.fettle.junit.FettleTest} for a plan.
 * Beneath is the {@code fettle} command; its exit code and its JSON say what happened. Java 17, JUnit 5.14 and 6, no other dependency.
 */
@NullMarked
package dev.fettle.junit;

import org.jspecify.annotations.NullMarked;
