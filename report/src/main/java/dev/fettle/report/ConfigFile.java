package dev.fettle.report;

/**
 * A file, or what goes into one.
 *
 * @param path where it belongs: {@code bin/setenv.sh}; for a fragment, the file that it goes into
 * @param whole whether it is all of the file, and not a fragment to put into the one that is there
 * @param language {@code xml}, {@code properties}, {@code java}, {@code yaml} or {@code shell}
 * @param text lines ended by line feeds
 */
public record ConfigFile(String path, boolean whole, String language, String text) {}
