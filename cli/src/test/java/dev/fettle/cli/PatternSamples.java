package dev.fettle.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * Texts that a pattern is about: strings that it nearly matches, and one character of each kind that it names. It reads the
 * part of the syntax that decides what a match consists of; flags, lookarounds and possessive marks change nothing here.
 */
final class PatternSamples {
    private static final String LIKELY = "a0 =\"'-_.:/,;<>()[]{}$\\%#!?&|*+@~^`\tAZz9\nµé";
    private static final Pattern BACK_REFERENCE = Pattern.compile("\\\\[1-9k]");
    private static final int MOST_ALTERNATIVES = 6;
    private static final int MORE = -1;

    private final String regex;
    private final int flags;
    private final int choice;
    private final Set<String> characters;
    private final Set<String> atoms = new LinkedHashSet<>(List.of("\\w", "\n"));
    private int at;
    private int alternatives;

    private PatternSamples(Pattern pattern, int choice, Set<String> characters) {
        regex = pattern.pattern();
        flags = pattern.flags();
        this.choice = choice;
        this.characters = characters;
    }

    /** Strings that go through the pattern's parts, by one alternative after the other. */
    static List<String> strings(Pattern pattern, Set<String> characters) {
        if ((pattern.flags() & Pattern.LITERAL) != 0) {
            return List.of(pattern.pattern());
        }
        var all = new LinkedHashSet<String>();
        var atoms = new LinkedHashSet<String>();
        int most = 1;
        for (int choice = 0; choice < Math.min(most, MOST_ALTERNATIVES); choice++) {
            var reader = new PatternSamples(pattern, choice, characters);
            all.add(reader.union());
            atoms.addAll(reader.atoms);
            most = Math.max(most, reader.alternatives);
        }
        characters.add("\n");
        characters.add("\u0001");
        if (!BACK_REFERENCE.matcher(pattern.pattern()).find()) {
            keepOneOfEachKind(characters, atoms, pattern.flags());
        }
        return new ArrayList<>(all);
    }

    /** Characters that the same parts of a pattern match, with its flags and whatever their case, are one to it. */
    private static void keepOneOfEachKind(Set<String> characters, Set<String> atoms, int flags) {
        List<Pattern> parts = atoms.stream()
                .flatMap(
                        a -> Stream.of(Pattern.compile(a, flags), Pattern.compile(a, flags | Pattern.CASE_INSENSITIVE)))
                .toList();
        var kinds = new HashSet<List<Boolean>>();
        characters.removeIf(
                c -> !kinds.add(parts.stream().map(p -> p.matcher(c).matches()).toList()));
    }

    private String union() {
        var parts = new ArrayList<String>();
        parts.add(sequence());
        while (at < regex.length() && regex.charAt(at) == '|') {
            at++;
            parts.add(sequence());
        }
        alternatives = Math.max(alternatives, parts.size());
        return parts.get(choice % parts.size());
    }

    private String sequence() {
        var out = new StringBuilder();
        while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
            boolean group = regex.charAt(at) == '(';
            String part = atom();
            int times = quantifier();
            out.append(part.repeat(times == MORE ? group ? 2 : 1 : times));
        }
        return out.toString();
    }

    private String atom() {
        char c = regex.charAt(at);
        if (c == '(') {
            return group();
        }
        int from = at;
        switch (c) {
            case '[' -> skipClass();
            case '\\' -> skipEscape();
            default -> at += Character.charCount(regex.codePointAt(at));
        }
        return c == '^' || c == '$' ? "" : oneOf(regex.substring(from, at));
    }

    private String group() {
        at++;
        boolean beside = false;
        if (regex.startsWith("?", at)) {
            beside = regex.startsWith("?=", at)
                    || regex.startsWith("?!", at)
                    || regex.startsWith("?<=", at)
                    || regex.startsWith("?<!", at);
            if (regex.startsWith("?<", at) && !beside) {
                at = regex.indexOf('>', at) + 1;
            } else {
                at++;
                while (at < regex.length() && ":=!>)".indexOf(regex.charAt(at)) < 0) {
                    at++;
                }
                if (regex.charAt(at) != ')') {
                    at += regex.startsWith("<", at) ? 2 : 1;
                }
            }
        }
        String inside = union();
        at++;
        return beside ? "" : inside;
    }

    private void skipClass() {
        int depth = 0;
        do {
            char c = regex.charAt(at);
            if (c == '\\') {
                skipEscape();
                continue;
            }
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            at++;
        } while (depth > 0);
    }

    private void skipEscape() {
        char c = regex.charAt(at + 1);
        if (c == 'Q') {
            int end = regex.indexOf("\\E", at);
            at = end < 0 ? regex.length() : end + 2;
        } else if ((c == 'p' || c == 'P' || c == 'x' || c == 'k') && regex.startsWith("{", at + 2) || c == 'k') {
            at = regex.indexOf(c == 'k' ? '>' : '}', at) + 1;
        } else {
            at += c == 'u' ? 6 : 2;
        }
    }

    /** How often it is repeated: as seldom as may be, but not never, and a group that may come again twice. */
    private int quantifier() {
        if (at >= regex.length() || "*+?{".indexOf(regex.charAt(at)) < 0) {
            return 1;
        }
        int times = regex.charAt(at) == '*' || regex.charAt(at) == '+' ? MORE : 1;
        if (regex.charAt(at) == '{') {
            int from = at + 1;
            at = regex.indexOf('}', at);
            times = Math.clamp(Integer.parseInt(regex.substring(from, at).split(",", 2)[0]), 1, 8);
        }
        at++;
        if (at < regex.length() && "?+".indexOf(regex.charAt(at)) >= 0) {
            at++;
        }
        return times;
    }

    /** A text that this atom matches; a few more are kept as characters. */
    private String oneOf(String atom) {
        if (atom.startsWith("\\Q")) {
            String literal = atom.substring(2, atom.endsWith("\\E") ? atom.length() - 2 : atom.length());
            literal.chars().mapToObj(Character::toString).forEach(c -> {
                characters.add(c);
                atoms.add(Pattern.quote(c));
            });
            return literal;
        }
        Pattern one;
        try {
            one = Pattern.compile(atom, flags);
        } catch (PatternSyntaxException e) { // a reference to a group
            return "a";
        }
        atoms.add(atom);
        String first = "";
        int found = 0;
        for (int i = 0; i < LIKELY.length() + 128 && found < 3; i++) {
            String c = i < LIKELY.length() ? LIKELY.substring(i, i + 1) : Character.toString(i - LIKELY.length());
            if (one.matcher(c).matches()) {
                characters.add(c);
                first = found++ == 0 ? c : first;
            }
        }
        return first;
    }
}
