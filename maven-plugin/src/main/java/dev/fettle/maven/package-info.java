/** Calls the {@code fettle} command in a Maven build: finds it and the project's artifact, makes arguments, and maps exit codes. Java 17. */
@NullMarked
package dev.fettle.maven;

import org.jspecify.annotations.NullMarked;
