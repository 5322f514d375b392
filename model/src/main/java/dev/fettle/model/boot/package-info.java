/**
 * Spring Boot: what an executable jar says of itself without being run, and knobs as Spring Boot's properties, written and
 * read.
 *
 * <p>{@code BootArchive}, {@code BuildTool} and {@code ConfigPlaces} look at files; the rest is pure.
 */
@NullMarked
package dev.fettle.model.boot;

import org.jspecify.annotations.NullMarked;
