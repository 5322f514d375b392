package dev.fettle.report.recommend;

/**
 * A piece of configuration to paste.
 *
 * @param title where it belongs, for a heading: {@code Tomcat: conf/server.xml}
 * @param language {@code xml}, {@code properties}, {@code java}, {@code shell} or {@code text}
 * @param text lines, each ended by a line feed
 */
public record ConfigSnippet(String title, String language, String text) {}
