package dev.fettle.config.jetty;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of one of Jetty's ini files, as start.jar interprets it. */
sealed interface IniLine {
    Pattern MODULES = Pattern.compile("(--(?:modules?|add-modules?|add-to-start|add-to-startd))=(.*)");

    /** A property; also as a system property, {@code -DNAME=VALUE}, which start.jar takes as a property as well. */
    Pattern PROPERTY = Pattern.compile("(?:-D)?([^-#=?+\\s][^=?+]*)([?+]?=)(.*)");

    /** Modules of an environment for web applications, by Jetty's naming. */
    Pattern ENVIRONMENT = Pattern.compile("(ee\\d+|core|static)-(?:[\\w-]+)");

    /** Turns modules on: {@code --modules=http,qos}. */
    record Modules(String option, List<String> names) implements IniLine {
        /**
         * The environment that the properties below belong to, until the next line with modules: that of the last
         * module named; empty: the server's own.
         */
        String environment() {
            String last = names.isEmpty() ? "" : names.getLast();
            Matcher m = ENVIRONMENT.matcher(last);
            return m.matches() ? m.group(1) : "";
        }

        Modules without(String name) {
            return new Modules(
                    option, names.stream().filter(n -> !n.equals(name)).toList());
        }

        @Override
        public String toString() {
            return option + "=" + String.join(",", names);
        }
    }

    /**
     * A property.
     *
     * @param operator {@code =}; {@code ?=}, only if it has no value yet; {@code +=}, appended to its value
     */
    record Property(String key, String operator, String value) implements IniLine {}

    /** Anything else: a comment, an option, a flag for the JVM, an XML file. */
    record Other() implements IniLine {}

    static IniLine of(String line) {
        String l = line.strip();
        Matcher modules = MODULES.matcher(l);
        if (modules.matches()) {
            return new Modules(
                    modules.group(1),
                    Arrays.stream(modules.group(2).split(","))
                            .map(String::strip)
                            .filter(n -> !n.isEmpty())
                            .toList());
        }
        Matcher property = PROPERTY.matcher(l);
        return property.matches()
                ? new Property(
                        property.group(1).strip(),
                        property.group(2),
                        property.group(3).strip())
                : new Other();
    }
}
