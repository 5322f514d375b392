/**
 * The servers' own configuration files, read and written: texts in, texts out. Nothing here opens a file.
 *
 * <p>{@link dev.fettle.config.tomcat.TomcatXml} is Tomcat's {@code server.xml}, {@link dev.fettle.config.jetty.JettyInis} Jetty's {@code
 * start.ini} and {@code start.d}, {@link dev.fettle.config.tomcat.Setenv} Tomcat's {@code setenv.sh}, {@link
 * dev.fettle.config.process.JvmLine} the flags of a JVM. Each gives the {@link dev.fettle.model.knob.Setting} that a text stands for, and
 * the text with another setting on top of it, in which all else stays as it was. Where a knob goes, the catalogue says.
 */
@NullMarked
package dev.fettle.config;

import org.jspecify.annotations.NullMarked;
