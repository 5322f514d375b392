package dev.fettle.model.trial;

import dev.fettle.model.text.TableEntry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A method, or a package, whose cost is known, and what to do about it: an entry of {@code rules/methods.yaml}, which explains the keys. */
public final class KnownMethod {
    static final Set<String> KEYS =
            Set.of("frames", "with", "without", "deep", "leaf", "rare", "of", "does", "do", "try", "source");

    /** What a cost is seen in. */
    public enum Cost {
        /** Stacks of CPU time. */
        CPU,
        /** Stacks of workers that wait. */
        WAIT,
        /** Stacks of allocated bytes. */
        ALLOC
    }

    /**
     * A setting that tests it.
     *
     * @param knob its name
     * @param value in the knob's canonical form
     */
    public record Try(String knob, String value) {}

    private final String id;
    private final FrameSet frames;
    private final FrameSet with;
    private final FrameSet without;
    private final int deep;
    private final boolean leaf;
    private final boolean rare;
    private final Set<Cost> of;
    private final String does;
    private final String remedy;
    private final Optional<Try> tried;
    private final List<String> sources;

    KnownMethod(String id, TableEntry e) {
        this.id = id;
        frames = new FrameSet(e.list("frames"));
        if (frames.isEmpty()) {
            throw new IllegalArgumentException("it has no frames");
        }
        with = new FrameSet(e.list("with"));
        without = new FrameSet(e.list("without"));
        deep = e.has("deep") ? Integer.parseInt(e.get("deep")) : 1;
        leaf = e.flag("leaf");
        rare = e.flag("rare");
        of = e.has("of") ? costs(e.list("of")) : Set.of(Cost.CPU);
        does = e.text("does");
        remedy = e.text("do");
        tried = e.has("try") ? Optional.of(setting(e.text("try"))) : Optional.empty();
        sources = e.list("source");
        if (sources.isEmpty() || !sources.stream().allMatch(s -> s.startsWith("https://"))) {
            throw new IllegalArgumentException("it has no source, or one that is no https URL");
        }
    }

    private static Set<Cost> costs(List<String> names) {
        return names.stream()
                .map(n -> Cost.valueOf(n.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Try setting(String written) {
        int at = written.indexOf('=');
        if (at < 1) {
            throw new IllegalArgumentException("try: '" + written + "' is not KNOB=VALUE");
        }
        return new Try(written.substring(0, at), written.substring(at + 1));
    }

    /** Stable name, in kebab case. */
    public String id() {
        return id;
    }

    /** What its caller does: {@code compiles a regular expression each time}. */
    public String does() {
        return does;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }

    /** The setting that tests it, if there is one. */
    public Optional<Try> tried() {
        return tried;
    }

    /** URLs that say so. */
    public List<String> sources() {
        return sources;
    }

    /** Whether it happens once for each class or page in a warm server. */
    public boolean isRare() {
        return rare;
    }

    /** Whether its cost is seen in such stacks. */
    public boolean costs(Cost cost) {
        return of.contains(cost);
    }

    boolean has(String frame) {
        return frames.has(frame);
    }

    /**
     * Whether it is in a stack at this frame, which is one of its own.
     *
     * @param stack outermost first
     */
    boolean isIn(List<String> stack, int at) {
        return (with.isEmpty() || stack.subList(at, stack.size()).stream().anyMatch(with::has))
                && (without.isEmpty() || stack.stream().noneMatch(without::has))
                && (deep <= 1 || stack.stream().filter(frames::has).count() >= deep)
                && (!leaf || !callsOthers(stack, at));
    }

    private boolean callsOthers(List<String> stack, int at) {
        for (int i = at + 1; i < stack.size(); i++) {
            String f = stack.get(i);
            if (StackFrames.isJava(f) && !JdkPackages.have(f) && !frames.has(f)) {
                return true;
            }
        }
        return false;
    }
}
