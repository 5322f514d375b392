package dev.fettle.bench.tuner;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.HostSeen;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Failure;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * A surface that answers like a server: what a trial of 15 s reports (3 s of starting, 2 s of warm-up, 10 s of measuring), or of
 * 5 s where it dies. Noise is log-normal; what drifts is AR(1) from trial to trial with a correlation of 0.8. Its luck is a table by
 * trial, the same for each tuner. A share of the trials is disturbed by neighbours, who take 10 to 50 % of the throughput.
 */
final class VirtualServer {
    static final Duration TRIAL = Duration.ofSeconds(15);
    static final Duration DEATH = Duration.ofSeconds(5);

    private final KnownSurface surface;
    /** Trials for which there is luck. */
    static final int MOST = 200;

    private final double[] luck;
    private final double voids;
    private final Random neighbours;

    VirtualServer(KnownSurface surface, double noise, double drift, double voids, long seed) {
        this.surface = surface;
        this.luck = luck(surface, noise, drift, seed);
        this.voids = voids;
        this.neighbours = new Random(seed * 7919 + surface.ordinal());
    }

    /** The logarithm of what each trial of a run is lucky by. */
    static double[] luck(KnownSurface surface, double noise, double drift, long seed) {
        var random = new Random(seed * 1_000_003 + surface.ordinal());
        double state = drift * random.nextGaussian();
        double[] luck = new double[MOST];
        for (int i = 0; i < MOST; i++) {
            state = 0.8 * state + 0.6 * drift * random.nextGaussian();
            luck[i] = noise * random.nextGaussian() + state;
        }
        return luck;
    }

    TrialOutcome run(int ordinal, TrialSpec spec) {
        OptionalDouble x = surface.throughput(spec.setting());
        if (x.isEmpty()) {
            return died(ordinal, spec);
        }
        double seen = x.getAsDouble() * Math.exp(luck[ordinal - 1]);
        return neighbours.nextDouble() < voids
                ? ran(ordinal, spec, seen * (1 - 0.1 - 0.4 * neighbours.nextDouble()), DISTURBED)
                : ran(ordinal, spec, seen, Verdict.VALID);
    }

    private static final Verdict DISTURBED =
            new Verdict(List.of(new Verdict.Reason(GateRules.DISTURBED, "others used 40 % of the CPUs", true)));

    private static TrialOutcome died(int ordinal, TrialSpec spec) {
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                DEATH,
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Failure(Kind.DIED, "it died")),
                new Verdict(List.of(new Verdict.Reason("failed", "it died", false))),
                List.of());
    }

    private static TrialOutcome ran(int ordinal, TrialSpec spec, double x, Verdict verdict) {
        int threads = KnownSurface.threads(spec.setting());
        double seconds = 10;
        long n = Math.round(x * seconds);
        long ns = Math.round(1e9 * KnownSurface.CLIENTS / x);
        var latency = new LatencySummary(n, ns, ns, ns, ns, ns, ns, ns, ns, ns);
        double busy = Math.min(Math.min(threads, KnownSurface.CLIENTS), x * KnownSurface.HOLD);
        var measurement = new Measurement(
                Duration.ofSeconds(10),
                n,
                Map.of(),
                Map.of(),
                Map.of(200, n),
                n * 200,
                KnownSurface.CLIENTS * seconds,
                latency,
                LatencySummary.NONE,
                0,
                KnownSurface.CLIENTS,
                List.of(),
                histogram(n, ns),
                Measurement.Detail.NONE);
        var evidence = new Evidence(
                1,
                Evidence.Cpus.UNKNOWN,
                HostSeen.NOTHING
                        .with()
                        .serverCpuSeconds(OptionalDouble.of(n / KnownSurface.CEILING))
                        .compilerCpuSeconds(OptionalDouble.of(0))
                        .steal(OptionalDouble.of(0))
                        .foreignCpu(OptionalDouble.of(0))
                        .busyWorkers(OptionalDouble.of(busy))
                        .busyWorkersMax(OptionalDouble.of(busy))
                        .workers(OptionalDouble.of(threads))
                        .queued(OptionalDouble.of(Math.max(0, KnownSurface.CLIENTS - threads)))
                        .gcMillis(OptionalDouble.of(5))
                        .listenOverflows(OptionalDouble.of(0))
                        .synRetransmits(OptionalDouble.of(0))
                        .loadAverage(OptionalDouble.of(1))
                        .build(),
                OptionalDouble.of(0.3),
                OptionalDouble.empty(),
                OptionalInt.of(1000),
                500,
                Map.of("threads.max", Integer.toString(threads)),
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of());
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                TRIAL,
                Duration.ofSeconds(3),
                Optional.of(measurement),
                Optional.of(evidence),
                Optional.empty(),
                verdict,
                List.of());
    }

    private static String histogram(long n, long ns) {
        var h = new Histogram(3);
        h.recordValueWithCount(ns, Math.max(1, n));
        ByteBuffer bytes = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int length = h.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
