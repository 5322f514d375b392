package dev.fettle.watch.host;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.util.Map;
import java.util.Optional;

/** How long HotSpot had all threads stopped, and how many classes it has, by its own counters ({@link PerfData}). */
final class PerfCounters implements SignalSource {
    /** Looks for the file that a JVM may not have written yet. */
    private static final int TRIES = 20;

    private static final String FREQUENCY = "sun.os.hrt.frequency";
    private static final String NONE =
            "the JVM's file of counters (hsperfdata) was not found: it is switched off, or another user's";

    /** Counters, and their signals; the first two are in ticks. */
    private static final Map<String, String> WANTED = Map.of(
            "sun.rt.safepointTime", Signals.SAFEPOINT_SHARE,
            "sun.rt.safepointSyncTime", Signals.SAFEPOINT_REACH,
            "sun.rt.safepoints", Signals.SAFEPOINT_COUNT);

    private final Proc proc;
    private final long pid;
    private Optional<PerfData> file = Optional.empty();
    private int tries;

    PerfCounters(Proc proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    @Override
    public void sample(Sink sink) {
        if (file.isEmpty() && tries < TRIES) {
            tries++;
            file = PerfData.of(proc, pid);
        }
        Map<String, Long> values = file.map(PerfData::counters).orElse(Map.of());
        long frequency = values.getOrDefault(FREQUENCY, 0L);
        if (frequency <= 0) {
            sink.notObserved("safepoint.*", NONE);
            return;
        }
        Long loaded = values.get("java.cls.loadedClasses");
        if (loaded != null) {
            sink.value(
                    Signals.CLASSES_LOADED,
                    (double) loaded
                            + values.getOrDefault("java.cls.sharedLoadedClasses", 0L)
                            - values.getOrDefault("java.cls.unloadedClasses", 0L)
                            - values.getOrDefault("java.cls.sharedUnloadedClasses", 0L));
        }
        WANTED.forEach((name, signal) -> {
            Long value = values.get(name);
            if (value == null) {
                sink.notObserved(signal, "this JVM does not count " + name);
            } else {
                sink.value(signal, signal.equals(Signals.SAFEPOINT_COUNT) ? value : (double) value / frequency);
            }
        });
    }
}
