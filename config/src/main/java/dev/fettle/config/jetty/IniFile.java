package dev.fettle.config.jetty;

/**
 * One of Jetty's ini files.
 *
 * @param path below jetty.base: {@code start.ini}, {@code start.d/http.ini}
 */
public record IniFile(String path, String text) {}
