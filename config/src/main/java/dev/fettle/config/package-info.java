/**
 * The servers' own configuration files, read and written: texts in, texts out. Nothing here opens a file.
 *
 * <p>{@link dev.fettle.config.TomcatXml} is Tomcat's {@code server.xml}, {@link dev.fettle.config.JettyInis} Jetty's {@code
 * start.ini} and {@code start.d}, {@link dev.fettle.config.Setenv} Tomcat's {@code setenv.sh}, {@link
 * dev.fettle.config.JvmLine} the flags of a JVM. Each gives the {@link dev.fettle.model.Setting} that a text stands for, and
 * the text with another setting on top of it, in which all else stays as it was. Where a knob goes, the catalogue says.
 */
@NullMarked
package dev.fettle.config;

import org.jspecify.annotations.NullMarked;
