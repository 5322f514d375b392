package dev.fettle.config.audit;

import dev.fettle.config.Escapes;
import dev.fettle.config.audit.SettingsText.Format;
import dev.fettle.config.patch.UnifiedDiff;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A patch that corrects settings of a file, with the reason for each as a comment. Nothing is written to disk. */
public final class Corrections {
    private Corrections() {}

    /**
     * A setting to correct.
     *
     * @param fix {@code delete}, {@code value V}, {@code name N}
     * @param reason for the comment
     */
    public record Correction(FoundSetting setting, String fix, String reason) {}

    /**
     * A patch.
     *
     * @param diff empty if nothing can be corrected automatically
     * @param byHand settings for which there is no safe change in such a file
     */
    public record Patched(String diff, List<FoundSetting> byHand) {
        public Patched {
            byHand = List.copyOf(byHand);
        }
    }

    private static final String NAME = "name ";
    private static final Pattern SIGN = Pattern.compile("[=:]");
    private static final Pattern EQUALS = Pattern.compile("=");
    /** A command in front of a setting, its name, and its value. */
    private static final Pattern ASSIGNED = Pattern.compile("^(.*?)(?<![\\w./-])([\\w./-]++)(\\s*+=\\s*+)(.*)");

    private static final Pattern COMMAND = Pattern.compile("^\\s*+(?:sysctl|echo|ulimit)\\b");
    /** The end of a line that the next one continues. */
    private static final Pattern GOES_ON = Pattern.compile("(?:\\\\|&&|\\|)$");

    private static final Pattern YAML_KEY = Pattern.compile("\\s*+[{\\w\"'. -]++:\\s");
    private static final Pattern YAML_VALUE = Pattern.compile("([\\w.\\[\\]-]+\\s*:[ \\t]+)\\S[^\\n]*");

    /** Of a file; what a patch costs grows with the square of them. */
    private static final int MOST = 1000;

    private record Edit(int start, int end, String text) {}

    /**
     * The patch of one file, with a thousand corrections at most.
     *
     * @param all of which the first ones count
     */
    public static Patched of(SettingsText file, List<Correction> all) {
        List<Correction> corrections = all.subList(0, Math.min(MOST, all.size()));
        var edits = new ArrayList<Edit>();
        var renamed = new ArrayList<FoundSetting>();
        var byHand = new ArrayList<FoundSetting>();
        int before = Integer.MAX_VALUE;
        List<Correction> last = corrections.stream()
                .sorted(Comparator.comparingInt(
                                (Correction c) -> c.setting().place().start())
                        .reversed())
                .toList();
        for (Correction c : last) {
            Correction once = once(file, c, renamed);
            Optional<Edit> edit = edit(file, once);
            if (edit.isEmpty() || edit.get().end() > before) {
                byHand.add(c.setting());
                continue;
            }
            edits.add(edit.get());
            before = edit.get().start();
            newName(once).ifPresent(renamed::add);
        }
        var text = new StringBuilder(file.text());
        edits.forEach(e -> text.replace(e.start(), e.end(), e.text()));
        // comments go in front of their statements; edits further down do not move those
        String commented = commented(file, text.toString(), edits, corrections);
        all.subList(corrections.size(), all.size()).forEach(c -> byHand.add(c.setting()));
        return new Patched(edits.isEmpty() ? "" : UnifiedDiff.of(path(file.name()), file.text(), commented), byHand);
    }

    /**
     * A new name must not be there twice: XML with an attribute twice is not well-formed, and of two lines only one counts. If it is
     * there already, the old one goes.
     *
     * @param renamed what got a new name so far, under that name
     */
    private static Correction once(SettingsText file, Correction c, List<FoundSetting> renamed) {
        boolean there = newName(c)
                .filter(n -> Stream.concat(file.settings().stream(), renamed.stream())
                        .anyMatch(o -> o.kind() == n.kind()
                                && o.scope().equals(n.scope())
                                && (n.kind() == SettingKind.JVM
                                        ? o.written().equals(n.name())
                                        : AuditRules.same(n.kind(), o.name(), n.name()))))
                .isPresent();
        return there ? new Correction(c.setting(), "delete", c.reason()) : c;
    }

    /** The setting under its new name; empty if it gets none. */
    private static Optional<FoundSetting> newName(Correction c) {
        FoundSetting s = c.setting();
        String element =
                s.kind() == SettingKind.TOMCAT ? s.name().substring(0, s.name().lastIndexOf('.') + 1) : "";
        return c.fix().startsWith(NAME)
                ? Optional.of(new FoundSetting(
                        s.kind(), element + c.fix().substring(NAME.length()), s.value(), s.place(), s.scope()))
                : Optional.empty();
    }

    private static String path(String name) {
        return name.replaceFirst("^(?:\\.?+/)++", "");
    }

    private static String commented(SettingsText file, String edited, List<Edit> edits, List<Correction> all) {
        record Comment(int at, String text) {}
        var comments = new ArrayList<Comment>();
        for (Correction c : all) {
            int start = c.setting().place().start();
            boolean done = edits.stream().anyMatch(e -> e.start() <= start && start < Math.max(e.end(), e.start() + 1));
            int at = c.setting().place().comment();
            boolean inside = file.format() == Format.YAML
                    && c.setting().kind() == SettingKind.JVM
                    && !YAML_KEY.matcher(file.text().substring(at, start)).lookingAt();
            if (!done || at < 0 || inside || file.format().comment().isEmpty()) {
                continue;
            }
            int shift = edits.stream()
                    .filter(e -> e.end() <= at)
                    .mapToInt(e -> e.text().length() - (e.end() - e.start()))
                    .sum();
            String words = "fettle: " + c.setting().written() + ": " + c.reason();
            String indent = indent(edited, at + shift);
            String line = indent
                    + (file.format() == Format.SERVER_XML || file.format() == Format.JETTY_XML
                            ? "<!-- " + Escapes.xmlComment(words) + " -->"
                            : "# " + Escapes.comment(words));
            comments.add(new Comment(at + shift, line + "\n"));
        }
        comments.sort(Comparator.comparingInt(Comment::at).reversed());
        var out = new StringBuilder(edited);
        comments.forEach(c -> out.insert(c.at(), c.text()));
        return out.toString();
    }

    private static String indent(String text, int at) {
        int end = at;
        while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
            end++;
        }
        return text.substring(at, end);
    }

    private static Optional<Edit> edit(SettingsText file, Correction c) {
        FoundSetting s = c.setting();
        int start = s.place().start();
        int end = s.place().end();
        if (start < 0 || end <= start || end > file.text().length()) {
            return Optional.empty();
        }
        String old = file.text().substring(start, end);
        String[] words = c.fix().split(" ", 2);
        String with = words.length > 1 ? words[1] : "";
        return switch (file.format()) {
            case SYSCTL, LIMITS, PROPERTIES, JETTY_INI, UNIT, JVM_OPTIONS ->
                line(file, s, start, end, old, words[0], with);
            case SHELL, DOCKERFILE ->
                s.kind() == SettingKind.JVM
                        ? token(file.text(), s, start, end, words[0], with)
                        : command(file.text(), start, end, old, words[0], with);
            case SERVER_XML -> attribute(file.text(), s, start, end, words[0], with);
            case NGINX ->
                words[0].equals("value")
                        ? Optional.of(new Edit(start, end, old.split("\\s", 2)[0] + " " + with + ";"))
                        : Optional.empty();
            case YAML -> words[0].equals("value") ? yaml(file.text(), s, start, end, old, with) : Optional.empty();
            case JETTY_XML, PROSE -> Optional.empty();
        };
    }

    /** Corrects a setting that is alone on its line. */
    private static Optional<Edit> line(
            SettingsText file, FoundSetting s, int start, int end, String old, String verb, String with) {
        boolean option = s.kind() == SettingKind.JVM && verb.equals("value");
        if (option || !alone(file.text(), start, end)) {
            return token(file.text(), s, start, end, verb, with);
        }
        Matcher sign = (s.kind() == SettingKind.SYSCTL ? EQUALS : SIGN).matcher(old);
        int equals = sign.find() ? sign.start() : -1;
        return switch (verb) {
            case "delete" ->
                old.strip().contains("\n") // a comment is not continued
                        ? Optional.empty()
                        : Optional.of(new Edit(start, end, "# " + old.strip()));
            case "value" ->
                equals < 0
                        ? Optional.empty()
                        : Optional.of(new Edit(
                                start,
                                end,
                                old.substring(0, equals + 1) + (old.startsWith(" ", equals + 1) ? " " : "") + with));
            case "name" ->
                with.startsWith("-")
                        ? Optional.of(new Edit(start, end, with))
                        : equals < 0
                                ? Optional.empty()
                                : Optional.of(new Edit(
                                        start,
                                        end,
                                        with + (old.charAt(equals - 1) == ' ' ? " " : "") + old.substring(equals)));
            default -> Optional.empty();
        };
    }

    /** Whether a part of a text has lines of its own. */
    private static boolean alone(String text, int start, int end) {
        int from = text.lastIndexOf('\n', start - 1) + 1;
        return text.substring(from, start).isBlank() && (end == text.length() || "\r\n".indexOf(text.charAt(end)) >= 0);
    }

    /**
     * Corrects a command, or a line that a script writes to a file, if that is all of the statement: what else is on the line, or
     * before it, may depend on it.
     */
    private static Optional<Edit> command(String text, int start, int end, String old, String verb, String with) {
        String before = text.substring(0, text.lastIndexOf('\n', start - 1) + 1).stripTrailing();
        if (!alone(text, start, end) || GOES_ON.matcher(before).find()) {
            return Optional.empty();
        }
        Matcher set = ASSIGNED.matcher(old);
        boolean run = COMMAND.matcher(old).lookingAt();
        return switch (verb) {
            // a branch must not become empty
            case "delete" -> Optional.of(new Edit(start, end, (run ? "true # " : "# ") + old.strip()));
            case "value" ->
                set.matches()
                        ? Optional.of(new Edit(
                                start,
                                end,
                                set.group(1)
                                        + set.group(2)
                                        + set.group(3)
                                        + (run && with.contains(" ") ? "\"" + with + "\"" : with)))
                        : Optional.empty();
            case "name" ->
                set.matches()
                        ? Optional.of(new Edit(start, end, set.group(1) + with + set.group(3) + set.group(4)))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Corrects a value of a mapping, or a JVM's option within one. */
    private static Optional<Edit> yaml(String text, FoundSetting s, int start, int end, String old, String with) {
        return switch (s.kind()) {
            case JVM -> token(text, s, start, end, "value", with);
            case SYSCTL -> Optional.empty(); // it may be an element of a list, and what its value is, a key of its own
            default -> {
                Matcher key = YAML_VALUE.matcher(old);
                yield key.matches() ? Optional.of(new Edit(start, end, key.group(1) + with)) : Optional.empty();
            }
        };
    }

    /** Corrects one of several settings on a line. */
    private static Optional<Edit> token(String text, FoundSetting s, int start, int end, String verb, String with) {
        return switch (verb) {
            case "delete" -> {
                boolean blankBehind = end < text.length() && text.charAt(end) == ' ';
                boolean blankBefore = start > 0 && text.charAt(start - 1) == ' ';
                // an element of a list of arguments would leave its quotes behind
                boolean quoted =
                        start > 0 && end < text.length() && text.charAt(start - 1) == '"' && text.charAt(end) == '"';
                if (quoted && text.substring(Math.max(0, start - 3), start).matches(".*[\\[,] ?\"")) {
                    yield Optional.empty();
                }
                yield Optional.of(
                        blankBefore ? new Edit(start - 1, end, "") : new Edit(start, blankBehind ? end + 1 : end, ""));
            }
            case "name" -> with.startsWith("-") ? Optional.of(new Edit(start, end, with)) : Optional.empty();
            case "value" -> {
                FoundSetting now = new FoundSetting(s.kind(), s.name(), with, s.place(), s.scope());
                yield s.kind() == SettingKind.JVM ? Optional.of(new Edit(start, end, now.written())) : Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    private static Optional<Edit> attribute(String text, FoundSetting s, int start, int end, String verb, String with) {
        String name = s.name().substring(s.name().lastIndexOf('.') + 1);
        return switch (verb) {
            case "delete" -> {
                int from = start;
                while (from > 0 && Character.isWhitespace(text.charAt(from - 1))) {
                    from--;
                }
                yield Optional.of(new Edit(from, end, ""));
            }
            case "value" -> Optional.of(new Edit(start, end, name + "=\"" + with + "\""));
            case "name" -> Optional.of(new Edit(start, end, with + text.substring(start + name.length(), end)));
            default -> Optional.empty();
        };
    }
}
