package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import dev.fettle.config.process.ShellReader;
import dev.fettle.model.text.ShellStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tomcat's {@code bin/setenv.sh}, as far as it consists of plain assignments. It is read and never run: anything inside
 * an {@code if}, a function, or after {@code &&}, or that needs a shell, is named in a finding and left out.
 *
 * @param flags for the JVM, in catalina.sh's order: JAVA_OPTS, then CATALINA_OPTS
 * @param environment the variables that it exports, except for those two
 * @param findings what was not read, one line each, with file and line number; values are not shown
 */
public record Setenv(List<String> flags, Map<String, String> environment, List<String> findings) {
    private static final Pattern ASSIGNMENT = Pattern.compile("^(export[ \\t]+)?([A-Za-z_][A-Za-z0-9_]*)=");
    private static final Pattern EXPORT = Pattern.compile("export((?:[ \\t]++[A-Za-z_][A-Za-z0-9_]*+)++)[ \\t]*+");
    private static final Pattern KEYWORD = Pattern.compile("(if|case|for|while|until|select)\\b");
    /** Of all values; a single one may be as long as the kernel passes on, 128 KiB. */
    private static final int MOST_CHARACTERS = 1 << 20;

    private static final String JAVA_OPTS = "JAVA_OPTS";
    private static final String CATALINA_OPTS = "CATALINA_OPTS";

    public Setenv {
        flags = List.copyOf(flags);
        environment = Map.copyOf(environment);
        findings = List.copyOf(findings);
    }

    /**
     * Reads the script.
     *
     * @param name of the file, for messages
     * @param known variables that it may use, such as CATALINA_HOME
     */
    public static Setenv read(String name, String text, Map<String, String> known) {
        return new Reader(name, text, known).read();
    }

    private static final class Reader {
        private final String name;
        private final String text;
        private final Map<String, String> variables;
        private final Map<String, String> exported = new LinkedHashMap<>();
        private final List<String> findings = new ArrayList<>();
        private int at;
        private int characters;
        /** The line at which the text is counted up to. */
        private int line = 1;

        private int counted;

        Reader(String name, String text, Map<String, String> known) {
            this.name = name;
            this.text = text;
            this.variables = new HashMap<>(known);
        }

        Setenv read() {
            while (next()) {
                statement();
            }
            var flags = new ArrayList<String>();
            for (String variable : List.of(JAVA_OPTS, CATALINA_OPTS)) {
                try {
                    flags.addAll(ShellReader.words(variables.getOrDefault(variable, "")));
                } catch (ConfigException e) {
                    findings.add("%s: %s is not read: a quote in it is not closed, or it needs a shell"
                            .formatted(name, variable));
                }
                exported.remove(variable);
            }
            return new Setenv(flags, exported, findings);
        }

        /** Moves to the next statement. */
        private boolean next() {
            while (at < text.length()) {
                char c = text.charAt(at);
                if (c == '#') {
                    toLineEnd();
                } else if (Character.isWhitespace(c) || c == ';') {
                    at++;
                } else {
                    return true;
                }
            }
            return false;
        }

        private void toLineEnd() {
            int newline = text.indexOf('\n', at);
            at = newline < 0 ? text.length() : newline;
        }

        private void statement() {
            int begin = at;
            Matcher keyword = here(KEYWORD);
            if (keyword.lookingAt()) {
                at = ShellStatement.end(text, begin);
                say(begin, "'" + keyword.group(1) + " …' is not read");
                return;
            }
            Matcher export = here(EXPORT);
            if (export.lookingAt() && ends(export.end())) {
                for (String variable : export.group(1).strip().split("\\s+")) {
                    exported.put(variable, variables.getOrDefault(variable, ""));
                }
                at = export.end();
                return;
            }
            Matcher assignment = here(ASSIGNMENT);
            if (!assignment.lookingAt()) {
                at = ShellStatement.end(text, begin);
                say(begin, "is no plain assignment, and is not read");
                return;
            }
            assign(begin, assignment);
        }

        private Matcher here(Pattern pattern) {
            return pattern.matcher(text).region(at, text.length());
        }

        private void assign(int begin, Matcher assignment) {
            String variable = assignment.group(2);
            var words = new ShellReader(text, assignment.end(), variables);
            Optional<String> value = words.next();
            at = words.at();
            if (value.isEmpty() || !endsWithBlanks()) {
                at = ShellStatement.end(text, begin);
                say(begin, variable + " is not read: it needs a shell");
                return;
            }
            for (String missing : words.unknown()) {
                say(begin, variable + " uses $" + missing + ", which has no value here");
            }
            characters += value.get().length();
            if (characters > MOST_CHARACTERS) { // values that repeat each other grow without bound
                say(
                        begin,
                        variable + " is not read: the values together are longer than " + MOST_CHARACTERS
                                + " characters");
                return;
            }
            variables.put(variable, value.get());
            if (assignment.group(1) != null || exported.containsKey(variable)) {
                exported.put(variable, value.get());
            }
        }

        private boolean endsWithBlanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
            return ends(at);
        }

        private boolean ends(int where) {
            return where >= text.length() || "\r\n;#".indexOf(text.charAt(where)) >= 0;
        }

        private void say(int where, String words) {
            for (; counted < where; counted++) {
                line += text.charAt(counted) == '\n' ? 1 : 0;
            }
            findings.add(name + ":" + line + ": " + words);
        }
    }
}
