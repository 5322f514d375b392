/**
 * Reads an unpacked WAR for Undertow, whose servlet container takes a deployment that is described to it and reads nothing by
 * itself: {@code web.xml} and fragments, annotations, initializers with the classes they ask for, JSPs.
 */
@NullMarked
package dev.fettle.servers.war;

import org.jspecify.annotations.NullMarked;
