/**
 * The servers' own configuration files, read and written: texts in, texts out. Nothing here opens a file.
 *
 * <p>{@link dev.fettle.config.tomcat.TomcatXml} is for Tomcat's {@code server.xml}, {@link
 * dev.fettle.config.jetty.JettyInis} for Jetty's {@code start.ini} and {@code start.d}, {@link
 * dev.fettle.config.tomcat.Setenv} for Tomcat's {@code setenv.sh}, and {@link dev.fettle.config.process.JvmLine} for
 * the flags of a JVM. Each gives the {@link dev.fettle.model.knob.Setting} that a text stands for, and the text with
 * another setting on top, everything else unchanged. The catalogue says where a knob goes.
 */
@NullMarked
package dev.fettle.config;

import org.jspecify.annotations.NullMarked;
