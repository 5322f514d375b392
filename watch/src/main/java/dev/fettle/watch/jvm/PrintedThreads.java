package dev.fettle.watch.jvm;

import dev.fettle.model.text.WrittenTime;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Thread dumps that somebody kept, as {@code jstack}, {@code jcmd PID Thread.print} and SIGQUIT print them (JDK 6 and later, several in a
 * row, other output of the program between them), and {@code jcmd PID Thread.dump_to_file} as text or JSON (JDK 21 and later).
 */
public final class PrintedThreads {
    /** How a printed dump begins, perhaps after what a logger puts before it. */
    private static final String BEGINS = "Full thread dump";

    /** A dump without a time is this much later than the one before. */
    private static final long APART_MILLIS = 10_000;

    private static final DateTimeFormatter PRINTED = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final int SHORTEST_TIME = 19;
    private static final int LONGEST_TIME = 35;

    /**
     * One dump.
     *
     * @param at when it was taken; a time without a zone counts as one of this machine's; empty if it does not say
     * @param deadlock what the JVM says of one, if there is one
     */
    public record Dump(Optional<Instant> at, List<SeenThread> threads, Optional<Sighting> deadlock) {
        public Dump {
            threads = List.copyOf(threads);
        }

        /** The same, taken at a time. */
        public Dump takenAt(Instant time) {
            return new Dump(Optional.of(time), threads, deadlock);
        }
    }

    private PrintedThreads() {}

    /** Whether a line shows that a text is such a dump. */
    public static boolean isDump(String line) {
        return line.contains(BEGINS) || line.contains("\"threadDump\"") || isPlain(line);
    }

    /** {@code #22 "worker-3" virtual RUNNABLE 2026-11-29T01:02:03Z}: the head of a thread of {@code Thread.dump_to_file}. */
    private static boolean isPlain(String line) {
        int quote = line.indexOf(" \"");
        return line.startsWith("#")
                && quote > 1
                && line.substring(1, quote).chars().allMatch(Character::isDigit)
                && line.indexOf('"', quote + 2) > 0;
    }

    /**
     * All dumps in a text, in their order.
     *
     * @throws IOException if there is none, or it can't be read
     */
    public static List<Dump> dumps(BufferedReader in) throws IOException {
        var all = new ArrayList<Dump>();
        var dump = new StringBuilder();
        boolean begun = false;
        boolean json = false;
        Optional<Instant> at = Optional.empty();
        Optional<Instant> next = Optional.empty();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            boolean begins = line.contains(BEGINS) || (!begun && line.strip().startsWith("{"));
            if (begins) {
                add(all, dump, json, at);
                json = !line.contains(BEGINS);
                at = next;
                next = Optional.empty();
            }
            Optional<Instant> time = time(line);
            next = time.isPresent() ? time : next;
            if (begins || begun || isPlain(line)) {
                at = begun || begins ? at : next;
                begun = true;
                dump.append(line).append('\n');
            }
        }
        add(all, dump, json, at);
        if (all.isEmpty()) {
            throw new IOException("no thread of a Java program is in it");
        }
        return all;
    }

    /** The time that stands on a line before a dump; empty if it is another line. */
    private static Optional<Instant> time(String line) {
        String text = line.strip();
        if (text.length() < SHORTEST_TIME
                || text.length() > LONGEST_TIME
                || !Character.isDigit(text.charAt(0))
                || text.charAt(4) != '-') {
            return Optional.empty();
        }
        try {
            return WrittenTime.in(
                    text.charAt(10) == 'T'
                            ? Instant.parse(text)
                            : LocalDateTime.parse(text, PRINTED)
                                    .atZone(ZoneId.systemDefault())
                                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static void add(List<Dump> all, StringBuilder dump, boolean json, Optional<Instant> at) throws IOException {
        String text = dump.toString();
        dump.setLength(0);
        if (text.isEmpty()) {
            return;
        }
        List<SeenThread> threads = json ? DumpedThreads.read(text, true) : DumpReader.seen(text);
        if (threads.isEmpty()) {
            threads = plain(text);
        }
        if (!threads.isEmpty()) {
            all.add(new Dump(
                    at,
                    threads,
                    json ? Optional.empty() : PrintedDeadlock.of(text).sighting()));
        }
    }

    /** Of {@code Thread.dump_to_file} as text: no locks, and no states before Java 24. */
    private static List<SeenThread> plain(String text) {
        var all = new ArrayList<SeenThread>();
        var frames = new ArrayList<StackTraceElement>();
        String head = "";
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (isPlain(line)) {
                thread(head, frames).ifPresent(all::add);
                frames.clear();
                head = line;
            } else if (!head.isEmpty()) {
                DumpedThreads.frame(line.strip()).ifPresent(frames::add);
            }
        }
        thread(head, frames).ifPresent(all::add);
        return all;
    }

    private static Optional<SeenThread> thread(String head, List<StackTraceElement> frames) {
        int quote = head.indexOf('"');
        int end = head.indexOf('"', quote + 1);
        if (head.isEmpty() || end < 0) {
            return Optional.empty();
        }
        String id = head.substring(1, head.indexOf(' '));
        return Optional.of(new SeenThread(
                id.length() < 18 ? Long.parseLong(id) : 0,
                quote + 1 == end ? DumpedThreads.NAMELESS : head.substring(quote + 1, end),
                DumpedThreads.state(state(head.substring(end + 1)), frames),
                "",
                -1,
                frames.toArray(StackTraceElement[]::new)));
    }

    private static String state(String rest) {
        for (Thread.State s : Thread.State.values()) {
            if (rest.contains(" " + s.name())) {
                return s.name();
            }
        }
        return "";
    }

    /**
     * What was seen in dumps that follow each other: a moment each, the first one at 0. If one of them has no time, or an earlier one, they count as ten seconds
     * apart.
     */
    public static ThreadsSeen seen(List<Dump> dumps) {
        var moments = new ThreadMoments(List::of, () -> 0);
        List<Instant> times = dumps.stream().flatMap(d -> d.at().stream()).toList();
        boolean timed = times.size() == dumps.size()
                && times.equals(times.stream().sorted().toList());
        for (int i = 0; i < dumps.size(); i++) {
            long millis =
                    timed ? Duration.between(times.getFirst(), times.get(i)).toMillis() : i * APART_MILLIS;
            moments.look(millis * 1_000_000, dumps.get(i).threads());
        }
        return moments.seen();
    }
}
