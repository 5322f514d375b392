package dev.fettle.report.recommend;

/**
 * A piece of configuration to paste.
 *
 * @param title where it belongs, for a heading: {@code Tomcat: conf/server.xml}
 * @param text lines, each ended by a line feed
 */
public record ConfigSnippet(String title, String text) {}
