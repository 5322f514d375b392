package dev.fettle.watch.heap;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a heap holds by class, as {@code jcmd PID GC.class_histogram} and {@code jmap -histo} print it: with the modules of Java 9 and later, or
 * without.
 *
 * @param classes by name as in source code ({@code byte[]}), the largest first; at most {@value #MOST_CLASSES}
 * @param bytes of all classes
 * @param whole whether its last line is there, which has the sums
 */
public record HeapHistogram(Map<String, Held> classes, double bytes, boolean whole) {
    /** Classes that are kept: more than a large application has. */
    static final int MOST_CLASSES = 200_000;

    /** Histograms of one text that are kept. */
    private static final int MOST = 100;

    /** A line with a class is shorter, whatever its name. */
    private static final int MOST_CHARACTERS = 70_000;

    public HeapHistogram {
        classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
    }

    /** What the objects of a class are and take. */
    public record Held(double instances, double bytes) {
        private Held plus(Held other) {
            return new Held(instances + other.instances, bytes + other.bytes);
        }
    }

    /** Whether a line is the head of such a table. */
    public static boolean isHead(String line) {
        return line.length() < MOST_CHARACTERS
                && line.contains("#instances")
                && line.contains("#bytes")
                && line.contains("class name");
    }

    /**
     * All histograms in a text, in their order.
     *
     * @throws IOException if there is none, or it can't be read
     */
    public static List<HeapHistogram> read(BufferedReader in) throws IOException {
        var all = new ArrayList<HeapHistogram>();
        Optional<Table> table = Optional.empty();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (isHead(line)) {
                end(table, all);
                table = Optional.of(new Table());
            } else if (table.isPresent() && !table.get().add(line)) {
                end(table, all);
                table = Optional.empty();
            }
        }
        end(table, all);
        if (all.isEmpty()) {
            throw new IOException("there is no class in it: jcmd PID GC.class_histogram prints them");
        }
        return all;
    }

    private static void end(Optional<Table> table, List<HeapHistogram> all) {
        table.filter(t -> !t.classes.isEmpty() && all.size() < MOST).ifPresent(t -> all.add(t.made()));
    }

    /** A table while it is read. */
    private static final class Table {
        private final Map<String, Held> classes = new LinkedHashMap<>();
        private double bytes;
        private boolean whole;

        HeapHistogram made() {
            return new HeapHistogram(classes, bytes, whole);
        }

        /** Adds a line; false after the last one. */
        boolean add(String line) {
            if (line.length() > MOST_CHARACTERS) {
                return true;
            }
            String[] parts = words(line);
            if (parts.length >= 3 && parts[0].equals("Total")) {
                whole = isNumber(parts[1]) && isNumber(parts[2]);
                return false;
            }
            if (parts.length >= 4 && parts[0].endsWith(":") && isNumber(parts[1]) && isNumber(parts[2])) {
                var held = new Held(Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
                bytes += held.bytes;
                // of two class loaders there may be two of a name
                String name = name(parts[3]);
                if (classes.size() < MOST_CLASSES || classes.containsKey(name)) {
                    classes.merge(name, held, Held::plus);
                }
            }
            return true;
        }

        /** The first four words of a line; what follows is the module. */
        private static String[] words(String line) {
            return line.strip().split("\\s+", 5);
        }

        private static boolean isNumber(String text) {
            return !text.isEmpty() && text.length() < 19 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        }
    }

    /** {@code byte[]} for {@code [B}, {@code java.lang.Object[]} for {@code [Ljava.lang.Object;}. */
    static String name(String printed) {
        int depth = 0;
        while (depth < printed.length() && printed.charAt(depth) == '[') {
            depth++;
        }
        if (depth == 0 || depth == printed.length()) {
            return printed;
        }
        String of = printed.substring(depth);
        String element = switch (of) {
            case "B" -> "byte";
            case "C" -> "char";
            case "D" -> "double";
            case "F" -> "float";
            case "I" -> "int";
            case "J" -> "long";
            case "S" -> "short";
            case "Z" -> "boolean";
            default -> of.startsWith("L") && of.endsWith(";") ? of.substring(1, of.length() - 1) : of;
        };
        return element + "[]".repeat(Math.min(depth, 255));
    }
}
