package dev.fettle.model.trial;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.text.TableEntry;
import dev.fettle.model.trial.KnownMethod.Cost;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Finds methods whose cost is known in stacks: {@code rules/methods.yaml}, with {@code rules/frames.yaml} for what is no program's code. */
public final class KnownMethods {
    private static final List<KnownMethod> ALL =
            TableEntry.read("rules/methods.yaml", KnownMethod.KEYS, KnownMethod::new);
    private static final Map<String, KnownMethod> BY_ID =
            ALL.stream().collect(Collectors.toUnmodifiableMap(KnownMethod::id, m -> m));
    private static final Map<String, FrameSet> FRAMES = TableEntry.read(
                    "rules/frames.yaml", Set.of("frames"), (name, e) -> Map.entry(name, new FrameSet(e.list("frames"))))
            .stream()
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    private static final FrameSet LIBRARIES = frames("libraries");
    private static final FrameSet OTHER_SERVERS = frames("servers");
    private static final FrameSet START_UP = frames("start-up");
    private static final List<String> SERVERS = Arrays.stream(ServerKind.values())
            .flatMap(s -> s.rules().packages().stream())
            .toList();

    private KnownMethods() {}

    /**
     * A known method in a stack.
     *
     * @param caller the program's own method that calls it; where no such one is in the stack, the method of a library that does
     */
    public record Found(KnownMethod method, String caller) {}

    private static FrameSet frames(String name) {
        FrameSet found = FRAMES.get(name);
        if (found == null) {
            throw new IllegalStateException("rules/frames.yaml has no '" + name + "'");
        }
        return found;
    }

    /** All of them, in the order of the file. */
    public static List<KnownMethod> all() {
        return ALL;
    }

    /** The one of that name. */
    public static Optional<KnownMethod> find(String id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    /** Frames whose kind is remembered, as stacks share most of theirs. */
    private static final int MOST_REMEMBERED = 20_000;

    private static final Map<String, Kind> REMEMBERED = new ConcurrentHashMap<>();

    /**
     * What is known of a frame.
     *
     * @param jdk whether it is the JDK's
     * @param program whether it is of a program's own code: not of the JDK, a server or a known library
     * @param server whether it is of a server, the one in the JDK among them
     * @param methods the known methods that it may be of
     */
    private record Kind(boolean jdk, boolean program, boolean server, boolean startUp, List<KnownMethod> methods) {
        static Kind of(String frame) {
            boolean java = StackFrames.isJava(frame);
            boolean jdk = JdkPackages.have(frame);
            return new Kind(
                    jdk,
                    java
                            && !jdk
                            && !LIBRARIES.has(frame)
                            && SERVERS.stream().noneMatch(frame::startsWith)
                            && !StackFrames.isGenerated(frame),
                    java && (SERVERS.stream().anyMatch(frame::startsWith) || OTHER_SERVERS.has(frame)),
                    START_UP.has(frame),
                    java ? ALL.stream().filter(m -> m.has(frame)).toList() : List.of());
        }
    }

    private static Kind kind(String frame) {
        Kind known = REMEMBERED.get(frame);
        if (known == null) {
            known = Kind.of(frame);
            if (REMEMBERED.size() < MOST_REMEMBERED) {
                REMEMBERED.put(frame, known);
            }
        }
        return known;
    }

    /**
     * The known method of a stack that is nearest to the program's code, if one is further in than that; none in the stack of a start. Where
     * a library calls it, one that a setting can cure goes before.
     *
     * @param stack outermost first
     */
    public static Optional<Found> in(List<String> stack, Cost cost) {
        int program = -1;
        for (int i = 0; i < stack.size(); i++) {
            Kind kind = kind(stack.get(i));
            if (kind.startUp) {
                return Optional.empty();
            }
            if (kind.program) {
                program = i;
            }
        }
        Optional<Found> nearest = Optional.empty();
        boolean called = true;
        for (int i = program + 1; i < stack.size(); i++) {
            Optional<KnownMethod> here = at(stack, i, cost);
            if (here.isPresent()) {
                var found = new Found(here.get(), caller(stack, program, i, here.get()));
                if (program >= 0 && called || here.get().tried().isPresent()) {
                    return Optional.of(found);
                }
                nearest = nearest.or(() -> Optional.of(found));
            }
            called &= kind(stack.get(i)).jdk;
        }
        return nearest;
    }

    /**
     * The innermost method of a stack that is of the program's own code: not of the JDK, a server, a known library or a generated class. None
     * where the program has called its server, which reads or writes for it.
     *
     * @param stack outermost first
     */
    public static Optional<String> ofProgram(List<String> stack) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            Kind kind = kind(stack.get(i));
            if (kind.program || kind.server) {
                return kind.server ? Optional.empty() : Optional.of(StackFrames.plain(stack.get(i)));
            }
        }
        return Optional.empty();
    }

    /** Whether a frame is of a server, the one in the JDK among them. */
    public static boolean isServer(String frame) {
        return kind(frame).server;
    }

    private static Optional<KnownMethod> at(List<String> stack, int i, Cost cost) {
        return kind(stack.get(i)).methods.stream()
                .filter(m -> m.costs(cost) && m.isIn(stack, i))
                .findFirst();
    }

    private static String caller(List<String> stack, int program, int at, KnownMethod method) {
        if (program >= 0) {
            return StackFrames.plain(stack.get(program));
        }
        for (int i = at - 1; i >= 0; i--) {
            String f = stack.get(i);
            if (StackFrames.isJava(f) && !JdkPackages.have(f) && !StackFrames.isGenerated(f) && !method.has(f)) {
                return f;
            }
        }
        return stack.get(at);
    }
}
