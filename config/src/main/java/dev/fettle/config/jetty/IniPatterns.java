package dev.fettle.config.jetty;

import java.util.regex.Pattern;

/** The kinds of line in Jetty's ini files that Fettle reads. */
final class IniPatterns {
    static final Pattern MODULES = Pattern.compile("(--(?:modules?|add-modules?|add-to-start|add-to-startd))=(.*)");

    /** Also as a system property, {@code -DNAME=VALUE}, which start.jar takes as a property besides. */
    static final Pattern PROPERTY = Pattern.compile("(?:-D)?([^-#=?+\\s][^=?+]*)([?+]?=)(.*)");

    /** Modules of an environment for web applications, by Jetty's own naming. */
    static final Pattern ENVIRONMENT = Pattern.compile("(ee\\d+|core|static)-(?:[\\w-]+)");

    private IniPatterns() {}
}
