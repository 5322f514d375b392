package dev.fettle.lab.measure;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.jvm.DiagnosticCommand;
import dev.fettle.watch.jvm.DumpReader;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ThreadDump;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Keeps a thread dump of a target that hangs, whose throughput falls by half, or whose JVM tells of a deadlock. The dump is
 * taken on a thread of its own, while the load goes on. Of a target that Fettle started it has the owners of all locks, and there is one for
 * each reason; of another there is one, for which the JVM does not walk its heap ({@link ThreadDump#take}).
 */
final class DumpKeeper {
    private static final double NANOS = 1e9;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final long pid;
    private final boolean own;
    private final DumpAllowance allowance;
    private final Supplier<Path> folder;
    private final StallRule rule;
    private final List<CompletableFuture<List<Sighting>>> dumps = new ArrayList<>();

    /**
     * @param own whether Fettle started it
     * @param folder supplies the folder for dumps when the first is written
     */
    DumpKeeper(long pid, boolean own, DumpAllowance allowance, Load load, Supplier<Path> folder) {
        this.pid = pid;
        this.own = own;
        this.allowance = allowance;
        this.folder = folder;
        this.rule = new StallRule(steady(load.arrivals()));
    }

    /** Keeps dumps among the workspace's recordings; empty if there may be none, or the target's process is not known. */
    static Optional<DumpKeeper> of(LabEnvironment env, RunningTarget target, Load load) {
        if (!env.dumps().any() || !target.watched()) {
            return Optional.empty();
        }
        return Optional.of(new DumpKeeper(target.pid(), target.process().isPresent(), env.dumps(), load, () -> {
            try {
                return env.workspace().recordings();
            } catch (LabException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }));
    }

    private static boolean steady(Arrivals arrivals) {
        return switch (arrivals) {
            case Arrivals.Closed _ -> true;
            case Arrivals.Open open ->
                open.stages().size() == 1
                        && open.stages().getFirst().from()
                                == open.stages().getFirst().to();
        };
    }

    /** Examines a window of the load. */
    void window(Window w) {
        double seconds = (w.endNanos() - w.startNanos()) / NANOS;
        double underWay = seconds > 0 ? w.busyNanos() / NANOS / seconds : 0;
        rule.add(seconds, w.responses(), underWay).ifPresent(this::keep);
    }

    /** Examines what its JVM reported last of deadlocked threads. */
    void deadlocked(double threads) {
        rule.deadlocked(threads).ifPresent(this::keep);
    }

    /** Takes one, if it may; of a target that hangs, what fills its heap in any case. */
    void keep(StallRule.Reason reason) {
        boolean may = allowance.take(pid, own);
        boolean hangs = reason == StallRule.Reason.HANGS && allowance.any();
        if (!may && !hangs) {
            return;
        }
        var dump = new CompletableFuture<List<Sighting>>();
        dumps.add(dump);
        Thread.ofPlatform()
                .daemon()
                .name("fettle-thread-dump")
                .start(() -> dump.complete(may ? taken(reason, hangs) : inAFullHeap()));
    }

    private List<Sighting> taken(StallRule.Reason reason, boolean hangs) {
        try (RunningJvm jvm = RunningJvm.attach(pid)) {
            var dump = new ThreadDump(jvm);
            Path file = folder.get()
                    .resolve("threads-" + pid + "-" + reason.name().toLowerCase(Locale.ROOT) + "-"
                            + Clock.SYSTEM.millis() + ".txt");
            String text = dump.take(own);
            Folders.writePrivate(file, text);
            List<String> deadlocked = dump.deadlocked();
            var seen = new ArrayList<>(DumpReader.read(text));
            seen.add(new Sighting(
                    deadlocked.isEmpty() ? Sighting.DUMP : Sighting.DEADLOCK,
                    reason.words(),
                    Math.max(1, deadlocked.size()),
                    (deadlocked.isEmpty()
                                    ? ""
                                    : "threads wait for each other for ever: " + String.join("; ", deadlocked) + "; ")
                            + "its threads are in " + file));
            if (hangs) {
                seen.addAll(0, inAFullHeap());
            }
            return seen;
        } catch (IOException | RuntimeException e) {
            var seen = new ArrayList<>(inAFullHeap());
            // the last one is what is said of a hang
            seen.add(
                    new Sighting(Sighting.DUMP, reason.words(), 1, "its threads could not be kept: " + e.getMessage()));
            return seen;
        }
    }

    /** The program's own classes that fill the heap of a JVM that is too full of objects to be asked for anything else. */
    private List<Sighting> inAFullHeap() {
        try {
            return DiagnosticCommand.inAFullHeap(pid, () -> allowance.heap(pid));
        } catch (IOException e) {
            return List.of(); // it does not say
        }
    }

    /** The dumps taken of a hanging target. */
    List<Sighting> taken() {
        var found = new ArrayList<Sighting>();
        tell(new SignalSource.Sink() {
            @Override
            public void value(String id, double value) {}

            @Override
            public void valueAt(String id, long nanoTime, double value) {}

            @Override
            public void notObserved(String id, String why) {}

            @Override
            public void sighting(Sighting seen) {
                found.add(seen);
            }
        });
        return found;
    }

    /** Adds the dumps to the timeline; waits a short time for one in progress. */
    void tell(SignalSource.Sink sink) {
        for (CompletableFuture<List<Sighting>> dump : dumps) {
            try {
                dump.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).forEach(sink::sighting);
            } catch (TimeoutException e) {
                sink.sighting(new Sighting(
                        Sighting.DUMP, "a dump of its threads", 1, "was not complete when the load had ended"));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
