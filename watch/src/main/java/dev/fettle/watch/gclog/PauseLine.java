package dev.fettle.watch.gclog;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.text.Units;
import dev.fettle.watch.gclog.GcLog.Pause;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a line that reports a pause. */
final class PauseLine {
    /**
     * {@code GC(3) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.456ms}. The lines of a pause's phases
     * ({@code [gc,start]}, {@code [gc,phases]}) have no sizes; those of a generational collector have a letter.
     */
    private static final Pattern UNIFIED = Pattern.compile("GC\\(\\d++\\) (?:[yYoO]: )?+(?=Pause )");

    private static final Pattern SIZES =
            Pattern.compile(" (\\d++)([BKMG])->(\\d++)([BKMG])\\((\\d++)([BKMG])\\) (\\d++[.,]\\d++)ms");

    /** ZGC and Shenandoah log pauses apart from their cycles, and without sizes. */
    private static final Pattern SIZELESS = Pattern.compile("(Pause [A-Z][\\w ()-]*?) (\\d++[.,]\\d++)ms");

    /** The start of a pause; it has no duration yet. */
    private static final Pattern START = Pattern.compile("\\[gc,start");

    /**
     * {@code [GC (Allocation Failure) [PSYoungGen: 65536K->1024K(76288K)] 65536K->1032K(251392K), 0.0012 secs]}: sizes
     * outside the inner brackets are the whole heap's.
     */
    private static final Pattern JAVA_8_HEAP = Pattern.compile(
            "(?<!\\d)(\\d++(?:\\.\\d++)?+)([BKMG])->(\\d++(?:\\.\\d++)?+)([BKMG])\\((\\d++(?:\\.\\d++)?+)([BKMG])\\)");

    /**
     * With details, G1 spreads them over several lines: {@code [GC pause (G1 Evacuation Pause) (young), 0.0123 secs]}.
     */
    private static final Pattern JAVA_8 =
            Pattern.compile("\\[(Full GC|GC pause|GC remark|GC cleanup|GC)((?: ?\\([^)\\[]*+\\)++)*+)");

    private static final Pattern JAVA_8_SECONDS = Pattern.compile("(?<!\\d)(\\d++[.,]\\d++) secs\\]");

    private PauseLine() {}

    static boolean isPause(String line) {
        if (line.contains("GC(")) {
            return line.contains(" Pause ")
                    && line.stripTrailing().endsWith("ms")
                    && !START.matcher(line).find();
        }
        return (line.contains("[GC") || line.contains("[Full GC"))
                && line.contains(" secs]")
                && !line.contains("concurrent");
    }

    static Optional<Pause> read(String line, LogClock clock) {
        OptionalFigure at = clock.seconds(line);
        if (at.isEmpty()) {
            return Optional.empty();
        }
        Matcher u = UNIFIED.matcher(line);
        if (!u.find()) {
            return old(line, at.getAsDouble());
        }
        Matcher sizes = SIZES.matcher(line);
        if (sizes.find(u.end())) {
            String what = line.substring(u.end(), sizes.start());
            return Optional.of(new Pause(
                    at.getAsDouble(),
                    what,
                    what.startsWith("Pause Full"),
                    bytes(sizes.group(1), sizes.group(2)),
                    bytes(sizes.group(3), sizes.group(4)),
                    bytes(sizes.group(5), sizes.group(6)),
                    number(sizes.group(7))));
        }
        return sizeless(line.substring(u.end()), at.getAsDouble());
    }

    private static Optional<Pause> sizeless(String pause, double at) {
        Matcher small = SIZELESS.matcher(pause);
        return small.lookingAt()
                ? Optional.of(new Pause(
                        at, small.group(1), false, Double.NaN, Double.NaN, Double.NaN, number(small.group(2))))
                : Optional.empty();
    }

    private static Optional<Pause> old(String line, double at) {
        Matcher m = JAVA_8.matcher(line);
        if (!m.find()) {
            return Optional.empty();
        }
        // sizes and times of single generations stand in brackets of their own
        String whole = outsideBrackets(line, m.start() + 1);
        Matcher seconds = JAVA_8_SECONDS.matcher(whole);
        if (!seconds.find()) {
            return Optional.empty();
        }
        double[] sizes = {Double.NaN, Double.NaN, Double.NaN};
        Matcher heap = JAVA_8_HEAP.matcher(whole);
        while (heap.find()) {
            sizes[0] = bytes(heap.group(1), heap.group(2));
            sizes[1] = bytes(heap.group(3), heap.group(4));
            sizes[2] = bytes(heap.group(5), heap.group(6));
        }
        return Optional.of(new Pause(
                at,
                m.group(1) + m.group(2),
                m.group(1).equals("Full GC"),
                sizes[0],
                sizes[1],
                sizes[2],
                number(seconds.group(1)) * 1e3));
    }

    /** The rest of a line; each pair of brackets with what it holds becomes a blank. */
    private static String outsideBrackets(String line, int from) {
        var out = new StringBuilder();
        var open = new ArrayDeque<Integer>();
        for (int i = from; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == ']' && !open.isEmpty()) {
                out.setLength(open.pop());
                out.append(' ');
                continue;
            }
            if (c == '[') {
                open.push(out.length());
            }
            out.append(c);
        }
        return out.toString();
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(',', '.'));
    }

    private static double bytes(String number, String unit) {
        return Double.parseDouble(number) * Units.bytes(unit);
    }
}
