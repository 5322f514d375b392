package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The deadlocks that a JVM prints at the end of a thread dump.
 *
 * @param threads how many threads are in one; 0 if none is printed
 * @param words who waits for whom, of a few
 */
record PrintedDeadlock(int threads, List<String> words) {
    private static final int MOST_TOLD = 3;
    private static final int LONGEST_NAME = 200;
    private static final String HELD = "which is held by ";

    PrintedDeadlock {
        words = List.copyOf(words);
    }

    /** Those of a dump; in time linear in its length. */
    static PrintedDeadlock of(String dump) {
        int from = dump.indexOf("Java-level deadlock");
        if (from < 0) {
            return new PrintedDeadlock(0, List.of());
        }
        int threads = 0;
        var words = new ArrayList<String>();
        boolean inside = true;
        String who = "";
        String what = "";
        for (String line : (Iterable<String>) dump.substring(from).lines()::iterator) {
            String text = line.strip();
            if (text.contains("Java-level deadlock")) {
                inside = true;
            } else if (text.startsWith("Java stack information")) {
                inside = false; // the same threads again, with their stacks
            } else if (inside && line.startsWith("\"") && text.endsWith(":")) {
                threads++;
                who = name(text.substring(0, text.length() - 1));
            } else if (inside && text.startsWith("waiting ")) {
                what = type(text);
            } else if (inside && text.startsWith(HELD) && words.size() < MOST_TOLD) {
                words.add(who + " waits for " + what + " that " + name(text.substring(HELD.length())) + " holds");
            }
        }
        return new PrintedDeadlock(threads, words);
    }

    /** {@code a shop.Cart} for {@code (object 0x7d5, a shop.Cart),} and for {@code 0x7d5, (a shop.Cart),}. */
    private static String type(String text) {
        int end = text.lastIndexOf(')');
        int a = text.lastIndexOf("a ", Math.max(0, end));
        return a < 1 || end < a || " (".indexOf(text.charAt(a - 1)) < 0 ? "a lock" : text.substring(a, end);
    }

    private static String name(String quoted) {
        String plain = quoted.replace("\"", "").strip();
        return plain.length() > LONGEST_NAME ? plain.substring(0, LONGEST_NAME) : plain;
    }

    /** What is told of it; empty if there is none. */
    Optional<Sighting> sighting() {
        return threads == 0
                ? Optional.empty()
                : Optional.of(
                        new Sighting(Sighting.DEADLOCK, "a printed thread dump", threads, String.join("; ", words)));
    }
}
