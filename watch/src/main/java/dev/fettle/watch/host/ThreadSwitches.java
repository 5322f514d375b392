package dev.fettle.watch.host;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SamplingRate;
import dev.fettle.watch.signal.SignalSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * How often the threads of a process gave up their CPU or lost it, from {@code /proc/PID/task/TID/status}. That is the
 * most expensive file of a thread, so it is only read for threads that have run since.
 */
final class ThreadSwitches {
    private final Proc proc;
    private final long pid;
    private final SamplingRate rate = SamplingRate.fromOutside("threads' switches");
    private Map<Long, Seen> seen = new HashMap<>();
    private final long[] switched = new long[2];

    /** What the threads that serve gave up their CPU for. */
    private long waits;

    /** @param runs how often it had run; -1 if the kernel does not report it */
    private record Seen(long runs, long voluntary, long involuntary) {}

    ThreadSwitches(Proc proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    SamplingRate rate() {
        return rate;
    }

    /**
     * Reads them, if a look is due.
     *
     * @param runs tells how often each thread has run so far; -1 if that is not known
     * @param serves whether a thread runs requests
     */
    void sample(SignalSource.Sink sink, long begin, Supplier<Map<Long, Long>> runs, LongPredicate serves) {
        if (!rate.due(begin)) {
            return;
        }
        long cpu = OwnCpu.nanos();
        boolean first = seen.isEmpty();
        var now = new HashMap<Long, Seen>();
        runs.get().forEach((id, ran) -> {
            Seen before = seen.get(id);
            if (before != null && ran >= 0 && ran == before.runs) {
                now.put(id, before);
                return;
            }
            String text = proc.text(pid + "/task/" + id + "/status").orElse("");
            var of = new Seen(
                    ran,
                    Fields.after(text, "\nvoluntary_ctxt_switches:").orElse(-1),
                    Fields.after(text, "\nnonvoluntary_ctxt_switches:").orElse(-1));
            if (of.voluntary < 0 || of.involuntary < 0) {
                return; // it has ended
            }
            if (before != null || !first) {
                long waited = Math.max(0, of.voluntary - (before == null ? 0 : before.voluntary));
                switched[0] += waited;
                waits += serves.test(id) ? waited : 0;
                switched[1] += Math.max(0, of.involuntary - (before == null ? 0 : before.involuntary));
            }
            now.put(id, of);
        });
        if (!now.isEmpty()) {
            seen = now;
            sink.value(Signals.CTXT_VOLUNTARY, switched[0]);
            sink.value(Signals.CTXT_INVOLUNTARY, switched[1]);
            sink.value(Signals.CTXT_SERVING, waits);
        }
        rate.looked(begin, OwnCpu.nanos() - cpu);
    }
}
