package dev.fettle.config.audit;

import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a container starts, and what reads its environment.
 *
 * @param image as written; empty if it is not known
 * @param words the command's arguments, one each; a shell's command line is one word behind {@code sh -c}
 * @param whole whether the words begin with the program; otherwise they are handed to a program of the image's that is not seen here
 */
record Launch(String image, List<Word> words, boolean whole) {
    /** An argument, and where it stands in the text. */
    record Word(String text, int start, int end) {}

    /** Read by the JVM itself, or by the java command. */
    private static final Set<String> BY_THE_JVM =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "OPENJ9_JAVA_OPTIONS", "IBM_JAVA_OPTIONS");
    /** Names that some scripts read and the JVM does not; those that carry a product's name are taken to be read by it. */
    private static final Pattern OF_NOBODY = Pattern.compile(
            "(?:JVM|JAVA|JDK|JRE)_(?:OPTIONS|OPT|ARGS?|ARGUMENTS|PARAMS?|PARAMETERS|FLAGS?|CONFIG|SETTINGS)|JVM_OPTS|JAVA_OPTS|JAVAOPTS|JVMOPTS|JAVA_VM_OPTS|JAVA_TOOLS_OPTIONS|JAVA_TOOL_OPTS|JAVA_TOOL_OPTION");
    /** Images that have a JVM and no script of their own around it. */
    private static final Pattern BARE = Pattern.compile(
            "^(?:.*/)?(?:eclipse-temurin|openjdk|amazoncorretto|zulu-openjdk(?:-alpine)?|sapmachine|ibm-semeru-runtimes|liberica-open\\S*|java|java\\d*(?:-debian\\d+)?|jdk|jre)(?:[:@].*)?");
    /** Images of servers whose JVM takes its heap by default. */
    private static final Pattern SERVER = Pattern.compile("^(?:.*/)?(?:tomcat|jetty|tomee)(?:[:@].*)?");

    private static final Pattern JAVA = Pattern.compile("(?:.*/)?java");
    private static final Pattern SHELL = Pattern.compile("(?:.*/)?(?:ba|da|a|k|z)?sh");
    private static final Pattern RUNS_JAVA = Pattern.compile("(?:^|[\\s;&|(/])java\\s+[-@$]");
    /** Options for the JVM that need nothing behind a blank. */
    private static final Pattern OPTION = Pattern.compile(
            "-(?:X\\S+|D[\\w.-]+(?:=\\S*)?|server|jar|cp|classpath|ea|verbose\\S*|javaagent:\\S+|-add-\\S+|-enable-preview)");
    /** A variable that only a shell would replace. */
    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\w+|\\{\\w+[^}]{0,60}})");

    /** What Compose replaces: its caller's variables, and two dollars by one. */
    private static final Pattern OF_COMPOSE = Pattern.compile("\\$(?:\\$|\\w+|\\{[^}]{0,200}})");

    Launch {
        words = List.copyOf(words);
    }

    /** The same as Compose hands it over, without what its caller's variables hold. */
    Launch ofCompose() {
        return new Launch(
                image,
                words.stream()
                        .map(w -> new Word(
                                OF_COMPOSE
                                        .matcher(w.text())
                                        .replaceAll(m -> m.group().equals("$$") ? "\\$" : ""),
                                w.start(),
                                w.end()))
                        .toList(),
                whole);
    }

    private String program() {
        return whole && !words.isEmpty() ? words.getFirst().text() : "";
    }

    boolean execsJava() {
        return JAVA.matcher(program()).matches();
    }

    private boolean shell() {
        return SHELL.matcher(program()).matches();
    }

    private String text() {
        return String.join(" ", words.stream().map(Word::text).toList());
    }

    /** Whether a JVM runs that takes its heap by default unless an option says otherwise. */
    boolean runsJava() {
        return execsJava()
                || (shell() && RUNS_JAVA.matcher(text()).find())
                || (!whole
                        && (BARE.matcher(image).matches()
                                || SERVER.matcher(image).matches()));
    }

    /** The scope of options in an environment variable: that of the container, unless nothing that is seen reads it. */
    String scope(String variable, String scope) {
        if (BY_THE_JVM.contains(variable) || !OF_NOBODY.matcher(variable).matches() || text().contains(variable)) {
            return scope;
        }
        boolean readsNothing = execsJava()
                || (shell() && RUNS_JAVA.matcher(text()).find())
                || (!whole && BARE.matcher(image).matches());
        // scripts of many images read JAVA_OPTS
        boolean unseen = !whole && !SERVER.matcher(image).matches() && !variable.equals("JAVA_OPTS");
        boolean script = whole && !readsNothing;
        return readsNothing || (unseen && !script) ? FoundSetting.unread(variable) : scope;
    }

    /**
     * Adds the options of the command, and what is wrong with its arguments.
     *
     * @param literal whether {@code $NAME} reaches the program as it stands: no shell and no Compose replaces it
     */
    void read(Source in, String scope, boolean literal) {
        if (runsJava()) {
            in.add(
                    SettingKind.CONTAINER,
                    "program",
                    "java",
                    in.line(words.isEmpty() ? 0 : words.getFirst().start(), -1, -1),
                    scope);
        }
        boolean exec = execsJava() || !whole;
        boolean mine = true; // what stands behind -jar FILE is the program's
        for (int i = 0; i < words.size(); i++) {
            Word w = words.get(i);
            boolean several = exec && mine && several(w.text());
            if (several) {
                in.add(
                        SettingKind.JVM,
                        "several options in one argument",
                        w.text(),
                        in.place(w.start(), w.end()),
                        scope);
            } else if (execsJava()
                    && literal
                    && mine
                    && i > 0
                    && VARIABLE.matcher(w.text()).find()
                    && !w.text().matches("-(?:D|XX:(?:OnError|OnOutOfMemoryError)).*")) {
                in.add(SettingKind.JVM, "variable without a shell", w.text(), in.place(w.start(), w.end()), scope);
            } else {
                JvmTokens.scan(in, w.start(), w.end(), scope);
            }
            mine &= !(i > 0 && words.get(i - 1).text().equals("-jar"));
        }
    }

    /** Whether an argument holds more than one option, and none that may hold blanks. */
    static boolean several(String argument) {
        String[] parts = argument.strip().split("\\s+");
        if (parts.length < 2 || !OPTION.matcher(parts[0]).matches() || parts[0].startsWith("-XX:On")) {
            return false;
        }
        if (parts[0].startsWith("-D") || parts[0].startsWith("-XX:HeapDumpPath") || parts[0].startsWith("-javaagent")) {
            // a property's value may hold blanks; an option in it is lost
            return java.util.Arrays.stream(parts).skip(1).anyMatch(p -> p.matches("-(?:X\\S+|D\\w\\S*=.*|jar)"));
        }
        return true;
    }

    /** The strings of a JSON array in a part of the text, such as {@code ["java", "-jar"]}; empty if it is none. */
    static List<Word> array(String text, int from, int to) {
        String part = text.substring(from, to);
        if (!part.strip().startsWith("[") || !part.strip().endsWith("]")) {
            return List.of();
        }
        var out = new ArrayList<Word>();
        Matcher m = QUOTED.matcher(part);
        while (m.find()) {
            if (m.group(2).isEmpty()) {
                continue; // it is not closed
            }
            out.add(new Word(m.group(1).replace("\\\"", "\""), from + m.start(1), from + m.end(1)));
        }
        return out;
    }

    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.){0,2000}+)(\"?)");
}
