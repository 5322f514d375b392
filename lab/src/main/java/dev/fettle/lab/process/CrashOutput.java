package dev.fettle.lab.process;

import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.HostLimits;
import dev.fettle.watch.host.Proc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a JVM printed at its end: whether it ran out of memory or of threads, both OutOfMemoryErrors, or had no port. */
public final class CrashOutput {
    private static final String ERROR = "java.lang.OutOfMemoryError";

    /** HotSpot's messages from Java 8 to 25 when it can't create a thread. */
    private static final List<String> NO_THREAD = List.of(
            "unable to create native thread",
            "unable to create new native thread",
            "pthread_create failed (EAGAIN)",
            "Cannot create worker GC thread");

    /** What the JDK, the kernel, Spring Boot and most programs say of a port that another process has. */
    private static final String PORT_TAKEN = "already in use";

    /** All that is looked for. */
    static final List<String> TEXTS =
            Stream.concat(Stream.of(ERROR, PORT_TAKEN), NO_THREAD.stream()).toList();

    private final Child child;

    public CrashOutput(Child child) {
        this.child = child;
    }

    /** The first line that says so; empty if none does. */
    public Optional<String> line() {
        return noThread().or(() -> child.lineWith(ERROR));
    }

    private Optional<String> noThread() {
        return NO_THREAD.stream()
                .flatMap(w -> Stream.concat(
                        child.lineWith(w).filter(l -> l.contains(ERROR)).stream(), child.lineWith(w).stream()))
                .findFirst();
    }

    /**
     * What went wrong by what it printed. A port that another process has is no one's fault who is tried here, and may be free again.
     *
     * @param otherwise where it printed none of that
     */
    public Kind kind(Kind otherwise) {
        if (noThread().isPresent()) {
            return Kind.PROCESS_LIMIT;
        }
        return child.said(ERROR) ? Kind.OUT_OF_MEMORY : child.said(PORT_TAKEN) ? Kind.LAB : otherwise;
    }

    /**
     * What limits threads here, if that was the cause; begins with "; ".
     *
     * @param nproc the target's own limit, if it was read back
     */
    public String remark(Proc proc, Optional<String> nproc) {
        if (noThread().isEmpty()) {
            return "";
        }
        var known = new ArrayList<String>();
        nproc.ifPresent(n -> known.add("process.nproc " + n));
        HostLimits limits = HostLimits.of(proc, "self"); // the child may be gone, but it shared our control group
        limits.tasks().ifPresent(n -> known.add("pids.max " + n));
        proc.sysctl("vm.max_map_count").ifPresent(n -> known.add("vm.max_map_count " + n));
        return known.isEmpty() ? "" : "; threads are limited by " + String.join(", ", known);
    }

    /**
     * "the target exited with code 1 before it was ready: last words".
     *
     * @param what its name: "target", "backend"
     * @param when it ended: "before it was ready"
     */
    public String ended(String what, String when) {
        String words = child.tail(4);
        return (child.alive()
                        ? "the " + what + " did not say that it is ready within "
                                + child.age().toSeconds() + " s"
                        : "the " + what + " exited with code "
                                + child.exitCode().orElse(-1) + " " + when)
                + (words.isBlank() ? "" : ": " + words);
    }
}
