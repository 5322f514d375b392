package dev.fettle.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.insight.Conclusion;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Building blocks of synthetic runs; everything is a function of its arguments. */
public final class Fixtures {
    public static final Instant START = Instant.parse("2026-11-21T14:03:00Z");
    public static final Setting HOLD = Setting.of("backlog", "1024");

    static final Load LOAD = new Load(
            300,
            true,
            Load.Request.get("/login"),
            Load.Expect.OK,
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            2,
            Arrivals.Closed.BACK_TO_BACK,
            Wire.PLAIN,
            Optional.empty());

    public static final Target TOMCAT = new Target.Embedded(
            ServerKind.TOMCAT,
            "login",
            Map.of("cpu", "0.2ms"),
            Optional.of(new Target.Backend(Duration.ofMillis(50), 256)),
            Target.Jvm.SAME);

    public static final Target COMMAND = new Target.Command(
            List.of(
                    List.of("{java}", "-jar", "{artifact:wiremock}"),
                    List.of("--port", "{port}"),
                    List.of("--root-dir", "{dir}"),
                    List.of("--container-threads", "{threads.max}"),
                    List.of("--jetty-accept-queue-size", "{backlog}")),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("wiremock", "org.wiremock:wiremock-standalone:3.13.1"),
            Optional.of("qtp"),
            Map.of("threads.max", "25", "backlog", "50"),
            Target.Jvm.SAME);

    static final Environment ENVIRONMENT = new Environment(
            "Linux 6.18.5 x86_64",
            "Example CPU @ 2.80GHz",
            2,
            "1",
            "0",
            "23.5 GiB",
            "0.1.0",
            "25.0.1 (Temurin)",
            Map.of("net.core.somaxconn", "4096", "nofile", "1048576", "net.ipv4.ip_local_port_range", "32768 60999"),
            Map.of());

    private static final ObjectMapper JSON = Json.mapper();

    private Fixtures() {}

    public static Plan plan(String name, Target target, List<KnobRange> knobs) {
        return Plan.of(name, target, LOAD)
                .with()
                .about("A login page that waits for its backend.")
                .hold(HOLD)
                .knobs(knobs)
                .seed(1)
                .build();
    }

    public static RunReport run(String kind, Plan plan, List<TrialOutcome> outcomes, Optional<Conclusion> conclusion) {
        return new RunReport(
                plan.name() + "-3",
                kind,
                plan,
                START,
                Duration.ofSeconds(222),
                ENVIRONMENT,
                outcomes,
                conclusion,
                conclusion.isPresent());
    }

    public static TrialSpec spec(
            TrialSpec.Phase phase, String variant, Map<String, String> point, int block, Setting setting) {
        return new TrialSpec(phase, variant, point, block, TOMCAT, HOLD.with(setting), LOAD);
    }

    /** A measurement with about this throughput and latencies around a log-normal of this median. */
    public static Measurement measurement(double throughput, double medianMillis, double spread, long seed) {
        var random = new Random(seed);
        var histogram = new Histogram(3);
        long n = Math.round(throughput * 10);
        for (long i = 0; i < n; i++) {
            double slow = random.nextDouble() < 0.004 ? 4 : 1;
            histogram.recordValue(Math.round(medianMillis * 1e6 * slow * Math.exp(spread * random.nextGaussian())));
        }
        var windows = new ArrayList<Measurement.Window>();
        for (int i = 0; i < 32; i++) {
            boolean measured = i >= 12;
            double share = measured ? 1 : 1 - 0.85 * Math.exp(-i / 3.0);
            double rate = throughput * share * (1 + 0.03 * random.nextGaussian());
            windows.add(new Measurement.Window(
                    i * 0.5,
                    0.5,
                    Math.round(rate * 0.5),
                    0,
                    Math.round(medianMillis * 1e6 * (1.4 + (measured ? 0 : 1.5 - i * 0.1))),
                    measured));
        }
        return new Measurement(
                Duration.ofSeconds(10),
                n,
                Map.of(),
                Map.of(),
                Map.of(200, n),
                n * 1892,
                throughput * medianMillis / 100,
                summary(histogram),
                new LatencySummary(
                        300, 210_000, 190_000, 230_000, 300_000, 350_000, 600_000, 900_000, 990_000, 1_000_000),
                0,
                300,
                windows,
                encode(histogram),
                Measurement.Detail.NONE);
    }

    static LatencySummary summary(Histogram h) {
        return new LatencySummary(
                h.getTotalCount(),
                h.getMean(),
                h.getValueAtPercentile(50),
                h.getValueAtPercentile(75),
                h.getValueAtPercentile(90),
                h.getValueAtPercentile(95),
                h.getValueAtPercentile(99),
                h.getValueAtPercentile(99.9),
                h.getValueAtPercentile(99.99),
                h.getMaxValue());
    }

    static String encode(Histogram h) {
        var buffer = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int length = h.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    public static Evidence evidence(Setting set, Map<String, String> defaults) {
        var effective = new TreeMap<>(defaults);
        effective.putAll(set.values());
        // through JSON, so that a figure added to the evidence does not concern these tests
        Map<String, Object> seen = new TreeMap<>(Map.of(
                "serverCpus",
                1,
                "generatorCpuShare",
                0.41,
                "acceptQueueLimit",
                1024,
                "startupMillis",
                812,
                "effective",
                effective,
                "facts",
                Map.of("server", "Apache Tomcat/11.0.24", "java", "25.0.1"),
                "notes",
                List.of(),
                "profiles",
                List.of()));
        seen.put(
                "aggregates",
                Aggregates.NOTHING
                        .with(Aggregate.SERVER_CPU_SECONDS, 7.1)
                        .with(Aggregate.STEAL, 0.001)
                        .with(Aggregate.BUSY_WORKERS, 199.4)
                        .with(Aggregate.BUSY_WORKERS_MAX, 200)
                        .with(Aggregate.WORKERS, 200)
                        .with(Aggregate.QUEUED, 96.2)
                        .with(Aggregate.GC_MILLIS, 44)
                        .with(Aggregate.LISTEN_OVERFLOWS, 0)
                        .with(Aggregate.SYN_RETRANSMITS, 0)
                        .with(Aggregate.LOAD_AVERAGE, 1.7));
        seen.put("timeline", Timeline.NONE);
        seen.put("conditions", Conditions.ALONE);
        seen.put("agents", List.of());
        seen.put("cpus", Evidence.Cpus.UNKNOWN);
        return JSON.convertValue(seen, Evidence.class);
    }

    public static TrialOutcome valid(int ordinal, TrialSpec spec, Measurement m, Map<String, String> defaults) {
        return new TrialOutcome(
                ordinal,
                spec,
                START.plusSeconds(18L * ordinal),
                Duration.ofMillis(17_600),
                Duration.ofSeconds(6),
                Optional.of(m),
                Optional.of(evidence(spec.setting(), defaults)),
                Optional.empty(),
                Verdict.VALID,
                List.of());
    }

    public static TrialOutcome voided(int ordinal, TrialSpec spec, Measurement m, String rule, String message) {
        return new TrialOutcome(
                ordinal,
                spec,
                START.plusSeconds(18L * ordinal),
                Duration.ofMillis(17_600),
                Duration.ofSeconds(6),
                Optional.of(m),
                Optional.of(evidence(spec.setting(), Map.of())),
                Optional.empty(),
                new Verdict(List.of(new Verdict.Reason(rule, message, true))),
                List.of());
    }

    public static TrialOutcome failed(int ordinal, TrialSpec spec, TrialOutcome.Kind kind, String message) {
        return new TrialOutcome(
                ordinal,
                spec,
                START.plusSeconds(18L * ordinal),
                Duration.ofSeconds(3),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new TrialOutcome.Failure(kind, message)),
                new Verdict(List.of(new Verdict.Reason("failed", message, false))),
                List.of());
    }
}
