package dev.fettle.insight.waits;

import dev.fettle.model.text.TableEntry;
import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.StackFrames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What frames say of a thread: the table {@code rules/waits.yaml} of the model. */
final class FrameTable {
    private static final Map<String, Wait> WAITS =
            Arrays.stream(Wait.values()).collect(Collectors.toUnmodifiableMap(Wait::id, Function.identity()));

    /**
     * A line of it.
     *
     * @param is what a thread is or does that has such a frame
     * @param name what the words call it; may be empty
     */
    record Line(String id, String is, String name, List<String> frames, List<Pattern> threads) {
        /** The wait that it stands for; empty if it says something else. */
        Optional<Wait> wait_() {
            return Optional.ofNullable(WAITS.get(is));
        }
    }

    /** Those of which any frame of the stack says what the thread is. */
    private static final Set<String> ANYWHERE = Set.of(
            "loop",
            "server",
            "worker",
            "query",
            "validates",
            "lazy",
            "stream",
            "library",
            "opens",
            "makes",
            "starts",
            "scheduled",
            "writes",
            "pool-name",
            "log-thread");

    private static final FrameTable TABLE = new FrameTable();

    private final List<Line> lines;

    /** Of waits, in the order of the file: first those of libraries. */
    private final List<Line> ofLibraries = new ArrayList<>();

    private final List<Line> ofJdk = new ArrayList<>();
    private final Map<String, List<Line>> byKind = new HashMap<>();

    private FrameTable() {
        lines = TableEntry.read(
                "rules/waits.yaml",
                Set.of("is", "name", "frames", "threads"),
                (id, e) -> new Line(
                        id,
                        e.text("is"),
                        e.get("name"),
                        e.list("frames"),
                        e.list("threads").stream().map(Pattern::compile).toList()));
        for (Line l : lines) {
            byKind.computeIfAbsent(l.is, _ -> new ArrayList<>()).add(l);
            if (!ANYWHERE.contains(l.is)) {
                (l.frames.stream().allMatch(JdkPackages::have) ? ofJdk : ofLibraries).add(l);
            }
        }
    }

    static FrameTable get() {
        return TABLE;
    }

    List<Line> lines() {
        return lines;
    }

    /** How the methods of a kind begin. */
    List<String> frames(String kind) {
        return byKind.getOrDefault(kind, List.of()).stream()
                .flatMap(l -> l.frames.stream())
                .toList();
    }

    private static Optional<Line> first(List<Line> lines, String method) {
        for (Line l : lines) {
            for (String f : l.frames) {
                if (method.startsWith(f)) {
                    return Optional.of(l);
                }
            }
        }
        return Optional.empty();
    }

    /** The line of a kind that a method matches. */
    Optional<Line> is(String kind, String method) {
        return first(byKind.getOrDefault(kind, List.of()), method);
    }

    /** What a wait with this method on the stack is, by a library's own line. */
    Optional<Line> ofLibrary(String method) {
        return first(ofLibraries, method);
    }

    /** The same for a method of the JDK. */
    Optional<Line> ofJdk(String method) {
        return first(ofJdk, method);
    }

    /** Whether a method is the application's own. */
    boolean isOwn(String method) {
        return !JdkPackages.have(method)
                && !StackFrames.isGenerated(method)
                && is("library", method).isEmpty();
    }

    /** What a thread's name says of a kind: the group of the expression that it matches, or all of it. */
    Optional<String> named(String kind, String thread) {
        for (Line l : byKind.getOrDefault(kind, List.of())) {
            for (Pattern p : l.threads) {
                Matcher m = p.matcher(thread);
                if (m.matches()) {
                    return Optional.of(m.groupCount() > 0 ? m.group(1) : thread);
                }
            }
        }
        return Optional.empty();
    }
}
