package dev.fettle.lab.capacity;

import dev.fettle.insight.capacity.CapacityResult;
import dev.fettle.insight.capacity.CapacityResult.Judged;
import dev.fettle.insight.capacity.CapacitySearch;
import dev.fettle.insight.capacity.OverloadResult;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.lab.journal.CapacityFindings;
import dev.fettle.lab.journal.CapacityJournal;
import dev.fettle.lab.journal.CapacityOptions;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.Measuring;
import dev.fettle.load.Window;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Searches the highest rate that meets an SLO, and tries a spike. One process for all probes: what is found is the capacity
 * of this one, warm; how much processes differ is not in the interval. Each probe is in the journal as it ends, and a run that
 * was cut off goes on from there: on a target warmed up again, which is said.
 */
public final class CapacityLab {
    /** Clients of the warm-up: enough to keep some CPUs busy, too few to make a queue. */
    private static final int WARM_UP_CLIENTS = 16;
    /** The first rate, as a part of what those clients got: a safe place to begin. */
    private static final double FIRST = 0.25;

    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration LONGEST_REST = Duration.ofSeconds(10);
    private static final int MOST_PROBES = 500;

    private final Load load;
    private final CapacityOptions options;
    private final CapacityJournal journal;
    private final String runId;
    private final CapacityListener listener;
    private final List<String> notes = new ArrayList<>();

    /**
     * A search from wherever the journal says it is.
     *
     * @param load what is sent, how it travels, over how many connections at most, and how long the warm-up may take
     * @param runId a run that was begun in the journal
     */
    public CapacityLab(
            Load load, CapacityOptions options, CapacityJournal journal, String runId, CapacityListener listener) {
        this.load = load;
        this.options = options;
        this.journal = journal;
        this.runId = runId;
        this.listener = listener;
    }

    /** On something that is up. */
    public CapacityFindings on(InetSocketAddress address) throws LabException, InterruptedException {
        return run(new LaunchedTarget.Url(address));
    }

    /**
     * On a plan's target, which is launched, and ended afterwards.
     *
     * @param folder where its files go
     */
    public CapacityFindings on(Plan plan, LabEnvironment env, Path folder) throws LabException, InterruptedException {
        try (var target = LaunchedTarget.launch(plan, load, env, folder, listener::note)) {
            return run(target);
        }
    }

    private CapacityFindings run(ProbeTarget target) throws LabException, InterruptedException {
        var prober = new Prober(load, target, options);
        notes.addAll(target.notes());
        double warm = warmUp(prober);
        long idle = median(prober, IDLE);
        Optional<CapacityResult> result = Optional.empty();
        if (options.search()) {
            result = Optional.of(search(prober, warm, idle));
        }
        Optional<OverloadResult> overload = Optional.empty();
        if (options.spike().isPresent()) {
            CapacityOptions.Spike spike = options.spike().get();
            double reference = spike.reference()
                    .orElse(result.filter(r -> r.outcome().confirmed())
                            .map(CapacityResult::rate)
                            .orElse(0.0));
            if (reference > 0) {
                rest(prober, idle);
                overload = Optional.of(new SpikeDriver(prober, options.slo(), spike, listener).run(reference));
            } else {
                notes.add("No spike was tried: without a confirmed capacity there is no rate to exceed.");
            }
        }
        var findings = new CapacityFindings(idle / 1e6, result, overload, notes);
        journal.conclude(runId, findings);
        return findings;
    }

    /** Throughput of a few clients when the target is warm. */
    private double warmUp(Prober prober) throws LabException, InterruptedException {
        var series = new Measuring(false, List.of());
        var examples = new ArrayList<String>();
        prober.closed(WARM_UP_CLIENTS, Prober.WINDOW, load.warmUpAtMost(), w -> {
            series.add(w, false);
            w.errors().values().forEach(e -> examples.add(e.example()));
            tell("warming up", w);
            return SteadyState.judge(series.series()).steady();
        });
        if (series.series().stream().allMatch(w -> w.responses() == 0)) {
            throw new LabException(
                    "no valid answer in the warm-up" + (examples.isEmpty() ? "" : ": " + examples.getFirst()));
        }
        if (!SteadyState.judge(series.series()).steady()) {
            notes.add("The target was not steady after the warm-up of "
                    + load.warmUpAtMost().toMillis() / 1000.0
                    + " s: if it was still warming up, the capacity is too low.");
        }
        return series.last().throughput();
    }

    private CapacityResult search(Prober prober, double warm, long idle) throws LabException, InterruptedException {
        double floor = CapacitySearch.floor(options.slo(), options.probe());
        double first = Math.max(floor, options.from().orElse(FIRST * warm));
        var search = new CapacitySearch(
                options.slo(),
                new CapacitySearch.Settings(
                        first, floor, options.precision(), options.confirmations(), options.budget(), MOST_PROBES));
        List<Judged> seen = new ArrayList<>(journal.probes(runId));
        if (!seen.isEmpty()) {
            notes.add("The run was cut off and resumed after "
                    + (seen.size() == 1 ? "one probe" : seen.size() + " probes")
                    + ": the target was warmed up again in between, so the probes may be of two processes.");
        }
        while (true) {
            switch (search.next(seen.stream().map(Judged::probe).toList())) {
                case CapacitySearch.Step.Stop(CapacityResult result) -> {
                    return result;
                }
                case CapacitySearch.Step.Offer offer -> seen.add(probe(prober, offer, seen, idle));
            }
        }
    }

    private Judged probe(Prober prober, CapacitySearch.Step.Offer offer, List<Judged> seen, long idle)
            throws LabException, InterruptedException {
        long begin = System.nanoTime();
        int ordinal = seen.size() + 1;
        if (!seen.isEmpty() && seen.getLast().verdict().result() != ProbeVerdict.Result.MET) {
            rest(prober, idle);
        }
        Probe probe = prober.probe(
                        offer,
                        ordinal,
                        w -> tell(String.format(Locale.ROOT, "probe %d: %,.0f/s", ordinal, offer.rate()), w))
                .withTook(Duration.ofNanos(System.nanoTime() - begin));
        var judged = new Judged(probe, ProbeVerdict.of(probe, options.slo()));
        journal.add(runId, ordinal, judged);
        listener.probed(ordinal, offer, judged);
        return judged;
    }

    /** Waits until a single client is served about as fast as before all load: a broken probe leaves a queue behind. */
    private void rest(Prober prober, long idle) throws LabException, InterruptedException {
        long end = System.nanoTime() + LONGEST_REST.toNanos();
        long rested = 2 * idle + 1_000_000;
        while (System.nanoTime() < end) {
            if (median(prober, LOOK) <= rested) {
                return;
            }
            Thread.sleep(LOOK);
        }
        String note = "After a probe that broke the SLO the target was not itself again within "
                + LONGEST_REST.toSeconds() + " s: the next probes found it burdened.";
        if (!notes.contains(note)) {
            notes.add(note);
        }
    }

    /** Median latency of a single client in nanoseconds; as long as can be if it gets no valid answer. */
    private long median(Prober prober, Duration length) throws LabException, InterruptedException {
        var seen = new ArrayList<Window>();
        prober.closed(1, length, length, seen::add);
        return seen.isEmpty() || seen.getFirst().responses() == 0
                ? Long.MAX_VALUE / 4
                : seen.getFirst().latency().getValueAtPercentile(50);
    }

    private void tell(String what, Window w) {
        listener.goesOn(
                what,
                w.responsesPerSecond(),
                w.latency().getTotalCount() == 0 ? 0 : w.latency().getValueAtPercentile(99) / 1e6);
    }
}
