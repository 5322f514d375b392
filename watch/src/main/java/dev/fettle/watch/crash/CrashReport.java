package dev.fettle.watch.crash;

import dev.fettle.model.trial.Sighting;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a JVM wrote when it ended itself: {@code hs_err_pid123.log} of JDK 8 to 25. Of it only what is named here is kept: command lines, properties
 * and the environment, which may hold secrets, are passed over.
 *
 * @param facts by what they are ({@link Fact}); those that the report has
 */
public record CrashReport(Map<Fact, String> facts) {
    /** Lines that are read; a report has some thousand. */
    private static final int MOST_LINES = 200_000;

    private static final int MOST_CHARACTERS = 300;

    /** What a report says. */
    public enum Fact {
        /** A {@link Cause}. */
        CAUSE,
        /** {@code SIGSEGV}, or an error of the JVM in its own words. */
        WHAT,
        /** The frame in which it happened, as {@code [libfoo.so+0x12] name}. */
        FRAME,
        /** The innermost Java method of that thread. */
        JAVA,
        /** The thread's name. */
        THREAD,
        /** The method that was being compiled. */
        COMPILING,
        /** Bytes that the system did not give. */
        ASKED,
        /** The container's limit of memory in bytes, and what it used. */
        LIMIT,
        USED,
        /** Free memory of the machine, in bytes. */
        FREE,
        /** How many Java threads there were. */
        THREADS,
        /** For how many seconds it had run. */
        SECONDS
    }

    /** Why it ended. */
    public enum Cause {
        /** A library that is not the JVM's. */
        NATIVE,
        /** The JVM itself. */
        JVM,
        /** A compiler of the JVM. */
        COMPILER,
        /** The system gave no memory. */
        MEMORY,
        /** The system gave no thread. */
        THREAD,
        /** The heap was full, and the JVM was to end then. */
        HEAP,
        /** A file that was mapped into memory became shorter: an archive that was overwritten, a full disk. */
        FILE,
        /** A stack in native code ran full. */
        STACK
    }

    public CrashReport {
        facts = Map.copyOf(facts);
    }

    /** Whether a line begins such a report. */
    public static boolean isHead(String line) {
        return line.startsWith("#")
                && (line.contains("A fatal error has been detected by the Java Runtime Environment")
                        || line.contains("There is insufficient memory for the Java Runtime Environment to continue"));
    }

    /**
     * Reads a report.
     *
     * @throws IOException if it can't be read, or is none
     */
    public static CrashReport read(BufferedReader in) throws IOException {
        var r = new Reading();
        int n = 0;
        for (String line = in.readLine(); line != null && n < MOST_LINES; line = in.readLine()) {
            n++;
            r.line(line.length() > 2000 ? line.substring(0, 2000) : line);
        }
        if (!r.head) {
            throw new IOException("it does not begin as a report of a JVM's end does");
        }
        return r.made();
    }

    /** The facts as sightings: the kind is {@link Sighting#CRASH}, the name that of the fact. */
    public List<Sighting> sightings() {
        var all = new ArrayList<Sighting>();
        facts.forEach((f, text) ->
                all.add(new Sighting(Sighting.CRASH, f.name(), number(text).orElse(1), text)));
        return all;
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** The lines so far. */
    private static final class Reading {
        private final Map<Fact, String> facts = new LinkedHashMap<>();
        private boolean head;
        private boolean frameFollows;
        private boolean javaFollows;
        private boolean threadsFollow;
        private boolean overflow;
        private boolean memory;
        private boolean heap;
        private boolean thread;
        private long threads;

        void line(String line) {
            head |= isHead(line);
            if (line.startsWith("#")) {
                comment(line.substring(1).strip());
            } else if (head) {
                body(line);
            }
        }

        private void comment(String text) {
            if (frameFollows && !text.isEmpty()) {
                put(Fact.FRAME, text);
                frameFollows = false;
            }
            frameFollows |= text.startsWith("Problematic frame");
            overflow |= text.contains("irrecoverable stack overflow");
            memory |= text.contains("insufficient memory for the Java Runtime");
            heap |= text.contains("OutOfMemory encountered");
            thread |= text.contains("Cannot create") && text.contains("thread");
            int bytes = text.indexOf(" bytes");
            if (text.contains("failed to") && bytes > 0) {
                int from = text.lastIndexOf(' ', bytes - 1) + 1;
                number(text.substring(from, bytes)).ifPresent(b -> put(Fact.ASKED, Long.toString(b)));
            }
            if (text.startsWith("SIG") || text.startsWith("EXCEPTION_")) {
                put(Fact.WHAT, text.substring(0, text.indexOf(' ') < 0 ? text.length() : text.indexOf(' ')));
            } else if (text.startsWith("Internal Error")
                    || text.startsWith("Out of Memory Error")
                    || text.startsWith("fatal error:")
                    || text.startsWith("Error:")) {
                int pid = text.indexOf(", pid=");
                String words = pid < 0 ? text : text.substring(0, pid);
                facts.merge(Fact.WHAT, cut(words), (a, b) -> a.startsWith("SIG") ? a : cut(a + ": " + b));
            }
        }

        private void body(String line) {
            if (line.startsWith("Current thread") && line.indexOf('"') > 0) {
                int from = line.indexOf('"') + 1;
                put(Fact.THREAD, line.substring(from, Math.max(from, line.indexOf('"', from))));
            }
            if (line.startsWith("Java frames:")) {
                javaFollows = true;
            } else if (javaFollows) {
                boolean frame = line.startsWith("j ") || line.startsWith("J ");
                if (frame) {
                    method(line).ifPresent(m -> put(Fact.JAVA, m));
                }
                javaFollows = frame && !facts.containsKey(Fact.JAVA);
            }
            if (line.startsWith("Current CompileTask")) {
                put(Fact.COMPILING, "");
            } else if (facts.getOrDefault(Fact.COMPILING, "-").isEmpty() && line.contains("::")) {
                facts.put(Fact.COMPILING, cut(compiled(line)));
            }
            if (line.startsWith("Java Threads:")) {
                threadsFollow = true;
            } else if (threadsFollow) {
                if (line.isBlank() || line.startsWith("Total:")) {
                    threadsFollow = line.isBlank() && threads == 0;
                    number(after(line, "Total:").strip()).ifPresent(n -> threads = n);
                } else {
                    threads++;
                }
            }
            bytes(line, "memory_limit_in_bytes:").ifPresent(b -> put(Fact.LIMIT, Long.toString(b)));
            bytes(line, "memory_usage_in_bytes:").ifPresent(b -> put(Fact.USED, Long.toString(b)));
            bytes(line, "MemAvailable:").ifPresent(b -> put(Fact.FREE, Long.toString(b)));
            int elapsed = line.indexOf("elapsed time: ");
            if (elapsed >= 0) {
                String rest = line.substring(elapsed + "elapsed time: ".length());
                int end = 0;
                while (end < rest.length() && Character.isDigit(rest.charAt(end))) {
                    end++;
                }
                number(rest.substring(0, end)).ifPresent(s -> put(Fact.SECONDS, Long.toString(s)));
            }
        }

        private static String after(String line, String head) {
            return line.startsWith(head) ? line.substring(head.length()) : "";
        }

        /** {@code com.example.Foo.bar} of {@code j  com.example.Foo.bar()V+5} and {@code J 12 c2 com.example.Foo.bar()V (5 bytes) @ …}. */
        private static Optional<String> method(String line) {
            int bracket = line.indexOf('(');
            if (bracket < 0) {
                return Optional.empty();
            }
            String before = line.substring(0, bracket);
            return Optional.of(before.substring(before.lastIndexOf(' ') + 1)).filter(m -> m.indexOf('.') > 0);
        }

        private static String compiled(String line) {
            for (String word : line.split(" ", 40)) {
                if (word.contains("::")) {
                    return word;
                }
            }
            return "";
        }

        /** {@code 536870912}, or {@code 524288 k}; empty for what is no number, or no limit. */
        private static OptionalLong bytes(String line, String head) {
            String rest = after(line, head).strip();
            rest = rest.endsWith("B") ? rest.substring(0, rest.length() - 1) : rest;
            long unit = rest.endsWith(" k") ? 1024 : 1;
            OptionalLong n =
                    number(unit > 1 ? rest.substring(0, rest.length() - 2).strip() : rest);
            return n.isPresent() && n.getAsLong() > 0 && n.getAsLong() < 1L << 50
                    ? OptionalLong.of(n.getAsLong() * unit)
                    : OptionalLong.empty();
        }

        private void put(Fact fact, String text) {
            facts.putIfAbsent(fact, cut(text));
        }

        private static String cut(String text) {
            String line = text.strip();
            return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) : line;
        }

        CrashReport made() {
            if (threads > 0) {
                put(Fact.THREADS, Long.toString(threads));
            }
            if (facts.getOrDefault(Fact.COMPILING, "-").isEmpty()) {
                facts.remove(Fact.COMPILING);
            }
            facts.put(Fact.CAUSE, cause().name());
            return new CrashReport(facts);
        }

        private Cause cause() {
            String frame = facts.getOrDefault(Fact.FRAME, "");
            String what = facts.getOrDefault(Fact.WHAT, "");
            if (heap) {
                return Cause.HEAP;
            }
            if (thread) {
                return Cause.THREAD;
            }
            if (memory || what.startsWith("Out of Memory Error")) {
                return Cause.MEMORY;
            }
            if (overflow) {
                return Cause.STACK;
            }
            if (what.startsWith("SIGBUS")) {
                return Cause.FILE;
            }
            if (facts.containsKey(Fact.COMPILING)) {
                return Cause.COMPILER;
            }
            return frame.startsWith("C") && !frame.contains("libjvm.so") ? Cause.NATIVE : Cause.JVM;
        }
    }
}
