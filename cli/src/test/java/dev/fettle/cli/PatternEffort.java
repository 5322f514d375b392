package dev.fettle.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much a pattern has to read: it counts the characters that it asks for, so nothing depends on a clock. */
final class PatternEffort {
    /** How a pattern is used. */
    enum Use {
        /** From the start of a text only. */
        WHOLE,
        /** Anywhere in it. */
        ANYWHERE
    }

    private static final int FEW = 100;
    /** Enough for what is linear at once; what a pattern bounds by some hundred characters is so only at {@link #MANY}. */
    private static final int SOME = 250;

    private static final int MANY = 1_000;
    /** Looks at each character, at most, that are few at any length. */
    private static final int PLENTY = 40;
    /** Each character may be looked at as often as this where the pattern bounds what it looks at. */
    private static final int MOST = 400;

    private static final double LINEAR = 2.5;
    private static final double SURELY_LINEAR = 2.1;
    /** The ends of a text may make this part of a difference. */
    private static final int BARELY = 40;

    private static final int MOST_CHARACTERS = 30;
    private static final int LONG_UNIT = 24;
    /** Enough for any pattern that doesn't recurse with the text's length. */
    private static final long SMALL_STACK = 192 * 1024;

    /** Units of which each leaves 75 bytes of that stack: no call of a matcher takes less. */
    private static final int DEEP = 2_500;

    private PatternEffort() {}

    /** One text that takes a pattern too much. */
    record Excess(String text, String why) {}

    /** A hostile text for the pattern, or none. */
    static Optional<Excess> excess(Pattern pattern, Set<Use> uses) {
        Set<String> characters = new LinkedHashSet<>();
        List<String> samples = PatternSamples.strings(pattern, characters);
        List<String> few = characters.stream().limit(MOST_CHARACTERS).toList();
        for (Use use : uses) {
            for (Attack a : attacks(use, samples, few)) {
                String text = a.text(FEW);
                long looks = count(pattern, use, text, (long) MOST * 4 * text.length());
                if (looks > (long) PLENTY / 2 * text.length()) {
                    Optional<Excess> found = grows(pattern, use, a, looks);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            Optional<Excess> deep = deep(pattern, use, samples, few);
            if (deep.isPresent()) {
                return deep;
            }
        }
        return Optional.empty();
    }

    /** @param few what it takes with {@link #FEW} units */
    private static Optional<Excess> grows(Pattern pattern, Use use, Attack a, long few) {
        // each unit takes as much as those before: longer texts need not be read. A scan from each unit to the end adds
        // 2,500 here
        String more = a.text(FEW + FEW / 2);
        long mostOfMore = (long) MOST * more.length();
        long looks = count(pattern, use, more, mostOfMore);
        long half = count(pattern, use, a.text(FEW / 2), mostOfMore);
        if (looks <= mostOfMore && looks - few - (few - half) <= few / BARELY) {
            return Optional.empty();
        }
        String text = a.text(2 * SOME);
        long most = (long) MOST * text.length();
        long twice = count(pattern, use, text, most);
        if (twice <= Math.min(most, 2L * SOME / FEW * few)) {
            return Optional.empty();
        }
        if (new Growth(count(pattern, use, a.text(SOME), most), twice, text.length()).atMost(SURELY_LINEAR)) {
            return Optional.empty();
        }
        Growth g = growth(pattern, use, a, MANY);
        boolean linear = g.atMost(LINEAR) || g.twice <= (long) PLENTY * g.length;
        return linear && g.twice <= g.most()
                ? Optional.empty()
                : Optional.of(new Excess(
                        a.shown(),
                        use + ": " + g.once + " looks, at twice the length " + g.twice
                                + (g.twice > g.most() ? " and more" : "")));
    }

    /**
     * What a text takes, and one of twice its units.
     *
     * @param length of the longer one
     */
    private record Growth(long once, long twice, int length) {
        boolean atMost(double ratio) {
            return twice <= ratio * once && twice <= most();
        }

        long most() {
            return (long) MOST * length;
        }
    }

    private static Growth growth(Pattern pattern, Use use, Attack a, int units) {
        String two = a.text(2 * units);
        long most = (long) MOST * two.length();
        return new Growth(count(pattern, use, a.text(units), most), count(pattern, use, two, most), two.length());
    }

    /** On a small stack, so that a recursion of each character shows at a few thousand of them. */
    private static Optional<Excess> deep(Pattern pattern, Use use, List<String> samples, List<String> few) {
        if (!pattern.pattern().contains(")*")
                && !pattern.pattern().contains(")+")
                && !pattern.pattern().matches("(?s).*\\)\\{\\d+,(?:\\d{3,})?}.*")) {
            return Optional.empty();
        }
        var found = new ArrayList<Excess>();
        var thread = new Thread(
                null,
                () -> attacks(use, samples, List.of()).stream()
                        .takeWhile(a -> found.isEmpty())
                        .forEach(a -> {
                            try {
                                String text = a.text(DEEP);
                                count(pattern, use, text, 4L * text.length());
                            } catch (StackOverflowError e) {
                                found.add(new Excess(a.shown(), use + ": the stack overflows"));
                            }
                        }),
                "small stack",
                SMALL_STACK);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return found.stream().findFirst();
    }

    /** A text of a start, a repeated unit and an end. */
    record Attack(String before, String unit, String after) {
        String text(int times) {
            return before + unit.repeat(times) + after;
        }

        String shown() {
            return (before + " + n × " + unit + " + " + after)
                    .replace("\n", "\\n")
                    .replace("\u0001", "\\1");
        }
    }

    private static List<Attack> attacks(Use use, List<String> samples, List<String> few) {
        var all = new LinkedHashSet<Attack>();
        var units = new LinkedHashSet<>(few);
        // anywhere in a text, one that repeats ba has all of what repeats ab
        few.forEach(a -> few.stream()
                .filter(b -> use == Use.ANYWHERE ? a.compareTo(b) < 0 : !a.equals(b))
                .forEach(b -> units.add(a + b)));
        for (String s : samples) {
            for (int i = 0; i < s.length(); i++) {
                for (int j = i + 1; j <= Math.min(s.length(), i + LONG_UNIT / 2); j++) {
                    units.add(s.substring(i, j));
                }
                units.add(s.substring(0, i + 1));
            }
        }
        units.forEach(u -> all.add(new Attack("", u, "\u0001")));
        few.forEach(u -> all.add(new Attack("", u, "")));
        for (String s : samples) {
            for (int i = 1; i <= s.length(); i++) {
                for (String u : few) {
                    all.add(new Attack(s.substring(0, i), u, "\u0001"));
                }
                for (int j = Math.max(0, i - 8); j < i; j++) {
                    all.add(new Attack(s.substring(0, i), s.substring(j, i), "\u0001"));
                }
            }
        }
        return new ArrayList<>(all);
    }

    /** The characters that are asked for, until there are more than the most. */
    static long count(Pattern pattern, Use use, String text, long most) {
        var counted = new Counted(text, most);
        try {
            Matcher m = pattern.matcher(counted);
            if (use == Use.WHOLE) {
                boolean unused = m.matches() | m.lookingAt();
            } else {
                while (m.find()) {}
            }
        } catch (TooMany e) {
            return most + 1;
        }
        return counted.asked;
    }

    private static final class TooMany extends RuntimeException {
        private static final TooMany ONE = new TooMany();

        private TooMany() {
            super("", null, false, false);
        }
    }

    private static final class Counted implements CharSequence {
        private final String text;
        private final long most;
        private long asked;

        Counted(String text, long most) {
            this.text = text;
            this.most = most;
        }

        @Override
        public char charAt(int i) {
            if (++asked > most) {
                throw TooMany.ONE;
            }
            return text.charAt(i);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return text.subSequence(from, to);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
