package dev.fettle.insight.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.diagnose.Points;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.insight.tune.HoldingTimeSearch;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OperatingPointTest {
    /** What a trial of 10 s saw. */
    private record Seen(
            ServerKind server,
            int clients,
            double rate,
            double latency,
            OptionalFigure busy,
            double cpuSeconds,
            int cpus,
            double overflows,
            Map<String, String> effective,
            Map<ErrorKind, Long> errors) {
        Seen(int clients, double rate, double latency, double busy, double cpuSeconds, int threads) {
            this(
                    ServerKind.TOMCAT,
                    clients,
                    rate,
                    latency,
                    OptionalFigure.of(busy),
                    cpuSeconds,
                    1,
                    0,
                    Map.of("threads.max", Integer.toString(threads)),
                    Map.of());
        }

        Seen on(ServerKind other) {
            return new Seen(other, clients, rate, latency, busy, cpuSeconds, cpus, overflows, effective, errors);
        }

        Seen overflows(double n) {
            return new Seen(server, clients, rate, latency, busy, cpuSeconds, cpus, n, effective, errors);
        }

        Seen effective(Map<String, String> e) {
            return new Seen(server, clients, rate, latency, busy, cpuSeconds, cpus, overflows, e, errors);
        }

        Seen errors(Map<ErrorKind, Long> e) {
            return new Seen(server, clients, rate, latency, busy, cpuSeconds, cpus, overflows, effective, e);
        }

        TrialOutcome trial() {
            long n = Math.round(rate * 10);
            long ns = (long) (latency * 1e9);
            var target = new Target.Embedded(server, "work", Map.of(), Optional.empty(), Target.Jvm.SAME);
            Load load = Simulated.load(clients);
            var spec = new TrialSpec(TrialSpec.Phase.BASELINE, "", Map.of(), 0, target, Setting.DEFAULT, load);
            var m = new Measurement(
                    Duration.ofSeconds(10),
                    n,
                    errors,
                    Map.of(),
                    Map.of(),
                    0,
                    0,
                    new LatencySummary(n, ns, ns, ns, ns, ns, ns, ns, ns, ns),
                    LatencySummary.NONE,
                    0,
                    clients,
                    List.of(),
                    "",
                    Measurement.Detail.NONE);
            var none = OptionalFigure.empty();
            var e = new Evidence(
                    cpus,
                    Evidence.Cpus.UNKNOWN,
                    Aggregates.NOTHING
                            .with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(cpuSeconds))
                            .with(Aggregate.BUSY_WORKERS, busy)
                            .with(Aggregate.BUSY_WORKERS_MAX, busy)
                            .with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(overflows)),
                    none,
                    none,
                    OptionalInt.of(50),
                    1,
                    effective,
                    Map.of(),
                    List.of(),
                    Timeline.NONE,
                    List.of(),
                    Conditions.ALONE);
            return new TrialOutcome(
                    1,
                    spec,
                    Instant.EPOCH,
                    Duration.ofSeconds(15),
                    Duration.ZERO,
                    Optional.of(m),
                    Optional.of(e),
                    Optional.empty(),
                    Verdict.VALID,
                    List.of());
        }
    }

    /** 250 valid answers a second, and 250 of a kind of error, at 1 ms of CPU and 0.2 s of a thread each. */
    @ParameterizedTest
    @EnumSource(ErrorKind.class)
    void whatCostWorkCountsInTheCostOfARequest(ErrorKind kind) {
        boolean costly = switch (kind) {
            case READ_TIMEOUT, MALFORMED, STATUS, LENGTH, BODY, CHECK -> true;
            case REFUSED, CONNECT_TIMEOUT, TLS, RESET, CLOSED_EARLY, OTHER, UNKNOWN -> false;
        };
        double works = costly ? 500 : 250;
        OperatingPoint c = OperatingPoint.of(new Seen(300, 250, 0.6, 0.2 * works, works / 100, 200)
                        .errors(Map.of(kind, 2500L))
                        .trial())
                .orElseThrow();
        assertThat(c.cpuPerRequest().orElseThrow()).isCloseTo(0.001, within(1e-9));
        assertThat(c.holding().orElseThrow()).isCloseTo(0.2, within(1e-9));
    }

    private static Explanation explain(Seen s) {
        return Points.explain(s.trial()).orElseThrow();
    }

    /** A command whose pool has 25 threads, of which 20 run requests and five accept and select. */
    private static TrialOutcome command(double busiest, double compilers) {
        var t = new Seen(300, 394, 0.76, 20, 4.0, 25).trial();
        var target = new Target.Command(
                java.util.List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("qtp"),
                Map.of("threads.max", "25"),
                Target.Jvm.SAME);
        var spec = new TrialSpec(
                TrialSpec.Phase.BASELINE,
                "",
                Map.of(),
                0,
                target,
                Setting.DEFAULT,
                t.spec().load());
        Evidence e = t.evidence().orElseThrow();
        var seen = new Evidence(
                e.serverCpus(),
                Evidence.Cpus.UNKNOWN,
                e.aggregates()
                        .with(Aggregate.COMPILER_CPU_SECONDS, OptionalFigure.of(compilers))
                        .with(Aggregate.SERVER_STEAL, OptionalFigure.empty())
                        .with(Aggregate.GENERATOR_STEAL, OptionalFigure.empty())
                        .with(Aggregate.BUSY_WORKERS_MAX, OptionalFigure.of(busiest))
                        .with(Aggregate.WORKERS, OptionalFigure.of(20))
                        .with(Aggregate.ACCEPT_QUEUE_MAX, OptionalFigure.empty())
                        .with(Aggregate.ACCEPT_QUEUE_DROPS, OptionalFigure.empty()),
                e.generatorCpuShare(),
                e.sendLagP99Millis(),
                e.acceptQueueLimit(),
                1,
                Map.of(),
                Map.of(),
                java.util.List.of(),
                Timeline.NONE,
                List.of(),
                Conditions.ALONE);
        return t.with().ordinal(1).spec(spec).evidence(Optional.of(seen)).build();
    }

    @Test
    void threadsOfACommandThatNeverRunRequestsAreNotCountedAsFree() {
        assertThat(Points.explain(command(20, 0)).orElseThrow().limit()).isEqualTo(Limit.THREADS);
        // not all were ever busy at once: then the pool may simply not have had to grow
        assertThat(Points.explain(command(19, 0)).orElseThrow().limit()).isNotEqualTo(Limit.THREADS);
    }

    @Test
    void whatTheCompilersUsedIsNotTheRequests() {
        double all = Points.explain(command(20, 0))
                .orElseThrow()
                .cpuSecondsPerRequest()
                .orElseThrow();
        double own = Points.explain(command(20, 3))
                .orElseThrow()
                .cpuSecondsPerRequest()
                .orElseThrow();
        assertThat(own).isCloseTo(all / 4, within(1e-9));
    }

    @Test
    void threadsFullWhileCpuIsLeft() {
        Explanation e = explain(new Seen(300, 497, 0.6036, 25, 1.193, 25));
        assertThat(e.limit()).isEqualTo(Limit.THREADS);
        assertThat(e.sentences().getFirst())
                .isEqualTo(
                        "All 25 worker threads are busy on average and each request holds its thread for 50.3 ms; 275 of 300 clients"
                                + " wait in line. That is consistent with a pool that is too small, and with a limit behind it that"
                                + " the threads wait for: no other size was tried with this setting, which would distinguish them.");
        assertThat(e.support()).isEqualTo(Explanation.Support.CONSISTENT);
        assertThat(e.sentences().get(1))
                .isEqualTo("The CPU is 12 % used: 240 µs of CPU a request would allow 4,166/s on one CPU.");
        assertThat(e.sentences().getLast())
                .startsWith("Little's law: 497/s × 604 ms = 300 requests in flight for 300 clients");
        assertThat(e.refutedBy()).isEqualTo("Doubling threads.max to 50 leaves throughput unchanged.");
        assertThat(e.threadCeiling().orElseThrow()).isCloseTo(497, within(1.0));
        assertThat(e.cpuCeiling().orElseThrow()).isCloseTo(4166, within(1.0));
        assertThat(e.holdingSeconds().orElseThrow()).isCloseTo(0.0503, within(1e-4));
    }

    @Test
    void cpuFull() {
        assertThat(explain(new Seen(300, 4100, 0.073, 190, 9.4, 272))).satisfies(e -> {
            assertThat(e.limit()).isEqualTo(Limit.CPU);
            assertThat(e.sentences().getFirst()).startsWith("The CPU is full: 94 % of one CPU used");
        });
        // threads are full as well, but more of them would not help
        assertThat(explain(new Seen(300, 3800, 0.079, 200, 8.7, 200)).limit()).isEqualTo(Limit.CPU);
    }

    @Test
    void everyClientServed() {
        Explanation e = explain(new Seen(40, 396, 0.101, 39.6, 0.4, 200));
        assertThat(e.limit()).isEqualTo(Limit.CLIENTS);
        assertThat(e.refutedBy()).contains("load.connections");
        assertThat(explain(new Seen(40, 396, 0.101, 39.6, 0.4, 40)).limit())
                .as("as many threads as clients")
                .isEqualTo(Limit.CLIENTS);
    }

    @Test
    void acceptQueue() {
        assertThat(explain(new Seen(100, 500, 0.2, 3, 1, 200).overflows(420))).satisfies(e -> {
            assertThat(e.limit()).isEqualTo(Limit.ACCEPT_QUEUE);
            assertThat(e.sentences().getFirst())
                    .contains("420 connections")
                    .contains("network namespace")
                    .contains("consistent with the target's own queue of 50")
                    .contains("Not observed: whether it was the target's own");
            assertThat(e.support()).isEqualTo(Explanation.Support.CONSISTENT);
        });
        // one overflow is not the accept queue
        assertThat(explain(new Seen(100, 500, 0.2, 3, 1, 200).overflows(1))).satisfies(e -> {
            assertThat(e.limit()).isEqualTo(Limit.UNKNOWN);
            assertThat(e.sentences())
                    .contains(
                            "One connection was dropped at full accept queues in the target's network namespace: too few to be"
                                    + " what limits it.");
        });
    }

    /** Only what was looked at, and is not full, is said to be free. */
    @Test
    void whatIsFreeBesideAFullAcceptQueueIsWhatWasLookedAt() {
        TrialOutcome all = queue(51, 400);
        assertThat(verdict(all)).endsWith(" to be sent again, while threads and CPU are free.");
        Evidence e = all.evidence().orElseThrow();
        assertThat(verdict(Tamper.evidence(all, Tamper.withoutCpuTime(e))))
                .endsWith(" to be sent again, while threads are free.");
        Evidence noPool = e.with()
                .aggregates(e.aggregates()
                        .with(Aggregate.BUSY_WORKERS, OptionalFigure.empty())
                        .with(Aggregate.WORKERS, OptionalFigure.empty()))
                .build();
        assertThat(verdict(Tamper.evidence(all, noPool))).endsWith(" to be sent again, while the CPU is not full.");
        assertThat(verdict(Tamper.evidence(all, Tamper.withoutCpuTime(noPool)))).endsWith(" to be sent again.");
    }

    private static String verdict(TrialOutcome t) {
        Explanation e = Points.explain(t).orElseThrow();
        assertThat(e.limit()).isEqualTo(Limit.ACCEPT_QUEUE);
        return e.sentences().getFirst();
    }

    private static TrialOutcome queue(int most, double own) {
        TrialOutcome t = new Seen(100, 500, 0.2, 3, 1, 200).overflows(420).trial();
        Evidence e = t.evidence().orElseThrow();
        return Tamper.evidence(
                t,
                e.with()
                        .cpus(Evidence.Cpus.UNKNOWN)
                        .aggregates(e.aggregates()
                                .with(Aggregate.ACCEPT_QUEUE_MAX, OptionalFigure.of(most))
                                .with(Aggregate.ACCEPT_QUEUE_DROPS, OptionalFigure.of(own)))
                        .timeline(Timeline.NONE)
                        .build());
    }

    @Test
    void theTargetsOwnAcceptQueueHasToHaveBeenFull() {
        assertThat(Points.explain(queue(51, 400)).orElseThrow()).satisfies(e -> {
            assertThat(e.limit()).isEqualTo(Limit.ACCEPT_QUEUE);
            assertThat(e.support()).isEqualTo(Explanation.Support.SHOWN);
            assertThat(e.sentences().getFirst())
                    .startsWith("400 connections were dropped because the target's accept queue of 50 was full");
        });
        assertThat(Points.explain(queue(3, 0)).orElseThrow().limit()).isEqualTo(Limit.UNKNOWN);
    }

    /** D3: throughput stuck, pool less than half, CPU 70 %: a lock, which is none of the watched resources. */
    @Test
    void nothingFullIsSaidToBeUnknown() {
        Explanation e = explain(new Seen(2500, 4800, 0.5, 900, 7, 2048));
        assertThat(e.limit()).isEqualTo(Limit.UNKNOWN);
        assertThat(e.sentences().getFirst())
                .contains("Neither the threads nor the CPU are full")
                .contains("a lock");
    }

    @Test
    void jettysLeasedThreadsRunNoRequests() {
        Seen s = new Seen(300, 400, 0.75, 22, 1, 25)
                .on(ServerKind.JETTY)
                .effective(Map.of("threads.max", "25", "threads.acceptors", "1", "threads.selectors", "2"));
        assertThat(explain(s).threadsMax().optional()).hasValue(22);
        assertThat(explain(s).limit()).isEqualTo(Limit.THREADS);
        assertThat(explain(s).refutedBy()).contains("to 47");
    }

    @Test
    void virtualThreadsHaveNoCeiling() {
        Seen s = new Seen(300, 4000, 0.075, 200, 7, 200)
                .effective(Map.of("threads.max", "200", "threads.virtual", "true"));
        assertThat(explain(s).threadCeiling().optional()).isEmpty();
        assertThat(explain(s).limit()).isNotEqualTo(Limit.THREADS);
    }

    @Test
    void threadsNeededFollowTheLowestCeiling() {
        // CPU: 4,166/s x 50.3 ms x 1.3
        OperatingPoint cpu = OperatingPoint.of(new Seen(2000, 497, 0.6036, 25, 1.193, 25).trial())
                .orElseThrow();
        assertThat(cpu.threadsNeeded().orElseThrow()).isCloseTo(273, within(1.0));
        // never more than clients
        OperatingPoint clients =
                OperatingPoint.of(new Seen(40, 99, 0.4, 10, 0.1, 10).trial()).orElseThrow();
        assertThat(clients.threadsNeeded().optional()).hasValue(40);
        OperatingPoint jetty = OperatingPoint.of(
                        new Seen(40, 99, 0.4, 8, 0.1, 10).on(ServerKind.JETTY).trial())
                .orElseThrow();
        assertThat(jetty.leased()).isEqualTo(2);
        assertThat(jetty.threadsNeeded().optional()).hasValue(42);
    }

    private static TrialOutcome over(TrialOutcome t, Load load) {
        var spec = new TrialSpec(
                TrialSpec.Phase.BASELINE, "", Map.of(), 0, t.spec().target(), Setting.DEFAULT, load);
        return t.with().ordinal(1).spec(spec).build();
    }

    /** 10 connections of 100 streams are 1000 clients: the pool that they need is not one of 10 threads. */
    @Test
    void streamsAreClients() {
        Load streams = Simulated.load(10)
                .withWire(new Wire(Protocol.HTTP_2, 100, Optional.empty(), TransportKind.AUTO, List.of()));
        TrialOutcome t = over(new Seen(10, 497, 2, 25, 1.193, 25).trial(), streams);
        assertThat(OperatingPoint.of(t).orElseThrow().threadsNeeded().orElseThrow())
                .isCloseTo(273, within(1.0));
        assertThat(Points.explain(t).orElseThrow().sentences().getFirst()).contains("975 of 1000 clients wait in line");
        Plan p = Simulated.server(25, 0.050, 0.000227, 1, 10).plan(4, 1024);
        var plan = p.with().target(t.spec().target()).load(streams).seed(1).build();
        var seen = TriedSettings.of(Setting.DEFAULT, Origin.DEFAULT, List.of(t));
        assertThat(new HoldingTimeSearch(plan)
                        .ask(List.of(seen))
                        .orElseThrow()
                        .setting()
                        .get("threads.max"))
                .contains("273");
    }

    /** N = X (R + Z): who thinks for half a second of 0.55 s asks for a tenth of what he would ask for without. */
    @Test
    void thinkTimeBelongsToTheClientsCycle() {
        Load thinks = Simulated.load(300).withArrivals(new Arrivals.Closed(Duration.ofMillis(500)));
        TrialOutcome t = over(new Seen(300, 540, 0.055, 27, 1.0, 200).trial(), thinks);
        OperatingPoint c = OperatingPoint.of(t).orElseThrow();
        assertThat(c.clientCeiling().orElseThrow()).isCloseTo(300 / 0.55, within(1.0));
        assertThat(c.threadsNeeded().orElseThrow()).isCloseTo(Math.ceil(300 / 0.55 * 0.05 * 1.3), within(1.0));
        Explanation e = Points.explain(t).orElseThrow();
        assertThat(e.limit()).isEqualTo(Limit.CLIENTS);
        assertThat(e.sentences().getFirst()).contains("300 / (50.0 ms + 500 ms of thinking) = 545 requests/s");
        assertThat(e.sentences().getLast())
                .startsWith(
                        "Little's law: 540/s × (55.0 ms + 500 ms of thinking) = 300 of 300 clients; 29.7 requests are");
    }

    /** The watch's timeline of a trial, each figure constant. */
    private static TrialOutcome watched(TrialOutcome t, Map<String, Double> figures) {
        var series = new TreeMap<String, Series>();
        figures.forEach((id, v) -> series.put(id, Series.of(v, v)));
        Timeline timeline = Timeline.of(
                0,
                500,
                series,
                Map.of(),
                List.of(
                        new Sighting("thread.hottest", "C2 CompilerThre", 0.98),
                        new Sighting("thread.busiest", "log-writer", 0.97)));
        return t.withEvidence(t.evidence().map(e -> e.withTimeline(timeline)));
    }

    private static final Seen TWO_CPUS = new Seen(
            ServerKind.TOMCAT,
            300,
            4100,
            0.073,
            OptionalFigure.of(190),
            18.8,
            2,
            0,
            Map.of("threads.max", "272"),
            Map.of());

    @Test
    void aQuotaIsACeiling() {
        TrialOutcome free = TWO_CPUS.trial();
        TrialOutcome held = watched(free, Map.of("cgroup.quota", 1.0, "cgroup.throttled", 0.4, "cpu.cores", 2.0));
        OperatingPoint before = OperatingPoint.of(free).orElseThrow();
        OperatingPoint after = OperatingPoint.of(held).orElseThrow();
        assertThat(after.cpuCeiling().orElseThrow())
                .isCloseTo(before.cpuCeiling().orElseThrow() / 2, within(1e-9));
        assertThat(after.utilisation().orElseThrow())
                .isCloseTo(2 * before.utilisation().orElseThrow(), within(1e-9));
        assertThat(Points.explain(held).orElseThrow().sentences())
                .anyMatch(s -> s.contains("its control group allows it 1.00 of its 2 CPUs")
                        && s.contains("held it back in 40 % of its periods")
                        && s.endsWith("whether one thread alone is full."));
    }

    /** The percentage is of what the quota allows, and so is the ceiling. */
    @Test
    void aQuotaThatIsUsedUpIsToldAsOne() {
        Seen full = new Seen(
                ServerKind.TOMCAT,
                300,
                4130,
                0.073,
                OptionalFigure.of(190),
                9.5,
                2,
                0,
                Map.of("threads.max", "272"),
                Map.of());
        Explanation e = Points.explain(watched(full.trial(), Map.of("cgroup.quota", 1.0)))
                .orElseThrow();
        assertThat(e.limit()).isEqualTo(Limit.CPU);
        assertThat(e.sentences().getFirst())
                .isEqualTo(
                        "The CPU is full: 95 % of the 1.00 CPUs that its quota allows used for requests, 230 µs each; at that"
                                + " price it can give 1.00 / 230 µs = 4,347 requests/s. Less work per request or a larger quota"
                                + " would help.");
        assertThat(e.refutedBy()).startsWith("A larger quota for the target");
        Explanation free = Points.explain(watched(full.trial(), Map.of("cgroup.quota", 1.5)))
                .orElseThrow();
        assertThat(free.sentences()).anyMatch(s -> s.contains("on the 1.50 CPUs that its quota allows."));
    }

    /** A rate counts iterations, and each of these makes five requests. */
    @Test
    void aScenariosRateIsOneOfIterations() {
        Load load =
                Simulated.load(300).withArrivals(Arrivals.Open.constant(100)).withScenario(Simulated.scenario(5));
        TrialOutcome behind = over(new Seen(300, 400, 0.05, 10, 4, 200).trial(), load);
        assertThat(OperatingPoint.of(behind).orElseThrow().offered().optional()).hasValue(500);
        assertThat(Points.explain(behind).orElseThrow().limit()).isEqualTo(Limit.UNKNOWN);
        TrialOutcome served = over(new Seen(300, 500, 0.03, 12, 5, 200).trial(), load);
        assertThat(Points.explain(served).orElseThrow().sentences().getFirst())
                .startsWith("The server kept up with the 500 requests/s that it was offered");
        // 500/s x 25 ms x 1.3
        TrialOutcome pool = over(new Seen(300, 400, 0.05, 10, 4, 10).trial(), load);
        assertThat(OperatingPoint.of(pool).orElseThrow().threadsNeeded().optional())
                .hasValue(17);
    }

    @Test
    void onlyWhatWasLookedAtIsSaidNotToBeFull() {
        TrialOutcome noPool = new Seen(
                        ServerKind.TOMCAT, 300, 1000, 0.3, OptionalFigure.empty(), 4, 1, 0, Map.of(), Map.of())
                .trial();
        assertThat(Points.explain(noPool).orElseThrow().sentences().getFirst())
                .startsWith("The CPU is not full, and no pool of worker threads was seen")
                .contains("a lock");
        TrialOutcome open = over(noPool, Simulated.load(300).withArrivals(Arrivals.Open.constant(1000)));
        assertThat(Points.explain(open).orElseThrow()).satisfies(e -> {
            assertThat(e.limit()).isEqualTo(Limit.RATE);
            assertThat(e.sentences().getFirst())
                    .isEqualTo("The server kept up with the 1,000 requests/s that it was offered, and its CPU is not"
                            + " full; what it could do with more, this load cannot show.");
        });
        // as many answers, but as many requests were not taken: it did not keep up with what was offered
        for (var left :
                List.of(new Measurement.Offered(10_400, 0, 400, 0), new Measurement.Offered(10_400, 0, 0, 400))) {
            TrialOutcome lost = open.withMeasurement(
                    open.measurement().map(m -> m.withDetail(m.detail().withOffered(Optional.of(left)))));
            assertThat(Points.explain(lost).orElseThrow()).satisfies(e -> {
                assertThat(e.limit()).isEqualTo(Limit.UNKNOWN);
                assertThat(String.join(" ", e.sentences()))
                        .doesNotContain("kept up")
                        .contains("were not taken");
            });
        }
        TrialOutcome noCpu = Simulated.with(new Seen(300, 497, 0.6, 5, 1, 25).trial(), Tamper::withoutCpuTime);
        assertThat(Points.explain(noCpu).orElseThrow().sentences().getFirst())
                .startsWith("The threads are not all busy, and the CPU was not observed");
    }

    /** What more CPUs gave does not go beyond the ceiling of fewer. */
    @Test
    void theSameCpusAreAsMany() {
        TrialOutcome full = new Seen(300, 1000, 0.3, 20, 9.9, 200).trial();
        TrialOutcome cheaper = new Seen(300, 2000, 0.15, 20, 9.9, 200).trial();
        TrialOutcome more = new Seen(
                        ServerKind.TOMCAT,
                        300,
                        2000,
                        0.15,
                        OptionalFigure.of(20),
                        19.8,
                        2,
                        0,
                        Map.of("threads.max", "200"),
                        Map.of())
                .trial();
        TrialOutcome other =
                new Seen(300, 2000, 0.15, 20, 9.9, 200).on(ServerKind.JETTY).trial();
        assertThat(Points.explain(full, List.of(full, cheaper)).orElseThrow().sentences())
                .anyMatch(s -> s.contains("the same CPUs gave 2,000/s"));
        assertThat(Points.explain(full, List.of(full, more, other))
                        .orElseThrow()
                        .sentences())
                .noneMatch(s -> s.contains("the same CPUs gave"));
    }

    @Test
    void oneIsOne() {
        assertThat(explain(new Seen(10, 20, 0.5, 1, 0.2, 1)).sentences().getFirst())
                .startsWith("The one worker thread is busy on average")
                .contains("9 of 10 clients wait in line");
        assertThat(explain(new Seen(2, 20, 0.1, 1, 0.2, 1)).sentences().getFirst())
                .contains("1 of 2 clients waits in line");
    }

    /** Each figure alone, and near misses: what must be said of it, and what must not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | 2 | 0 | 0.89 | - | Of the CPU",
                "2 | 2 | 0 | 0.95 | one thread (log-writer) used 95 % of a CPU by itself | share its cores",
                "2 | 2 | 0 | 0.95 | Less work per request would help. | or more CPUs",
                "2 | 2 | 0 | 0.89 | Less work per request or more CPUs would help. | one thread",
                "2 | 1 | 0 | 0.5 | its 2 CPUs are one core | other programs",
                "2 | 2 | 2 | 0.5 | other programs may run on 2 CPUs that share its cores | allows it",
                "1.5 | 2 | 0 | 0.5 | allows it 1.5 | one thread",
            })
    void whatItsCpusAreWorthIsSaidWhereItMatters(
            double quota, double cores, double neighbours, double busiest, String said, String not) {
        TrialOutcome t = watched(
                TWO_CPUS.trial(),
                Map.of(
                        "cgroup.quota",
                        quota,
                        "cpu.cores",
                        cores,
                        "cpu.neighbours",
                        neighbours,
                        "cpu.hottest",
                        0.98,
                        "busiest.cpu",
                        busiest));
        String all = String.join(" ", Points.explain(t).orElseThrow().sentences());
        if (!said.equals("-")) {
            assertThat(all).contains(said);
        }
        assertThat(all)
                .doesNotContain(not)
                .doesNotContain("a CPU quota", "CPUs that share a core", "whether one thread alone");
    }

    @Test
    void aCeilingSaysWhatWasNotLookedAt() {
        assertThat(explain(new Seen(300, 4100, 0.073, 190, 9.4, 272)).sentences())
                .anyMatch(s -> s.startsWith("Not considered for the CPU's ceiling: time stolen by the hypervisor")
                        && s.contains("a CPU quota"));
    }

    @Test
    void whatAnAppIsConfiguredToCountsWhereNothingIsSet() {
        var app = new Target.Boot(
                "/srv/app.jar",
                ServerKind.TOMCAT,
                "4.1.1",
                List.of(),
                Target.Jvm.SAME,
                Setting.of("threads.max", "50"));
        var spec = new TrialSpec(TrialSpec.Phase.BASELINE, "", Map.of(), 0, app, Setting.DEFAULT, Simulated.load(10));
        assertThat(OperatingPoint.threads(spec, Optional.empty()).optional()).hasValue(50);
    }

    @Test
    void timedOutRequestsHeldTheirThreadsToo() {
        OperatingPoint c = OperatingPoint.of(new Seen(300, 250, 1, 25, 1.2, 25)
                        .errors(Map.of(ErrorKind.READ_TIMEOUT, 2500L, ErrorKind.REFUSED, 900L))
                        .trial())
                .orElseThrow();
        assertThat(c.served()).isEqualTo(500);
        assertThat(c.holding().orElseThrow()).isCloseTo(0.05, within(1e-9));
        Explanation e = explain(new Seen(300, 250, 1, 25, 1.2, 25).errors(Map.of(ErrorKind.READ_TIMEOUT, 2500L)));
        assertThat(e.sentences().getLast()).contains("read timeout 2500");
    }

    @Test
    void withoutEvidenceNothingIsClaimed() {
        Explanation e = Points.explain(Tamper.blind(new Seen(300, 497, 0.6, 25, 1.2, 25).trial()))
                .orElseThrow();
        assertThat(e.limit()).isEqualTo(Limit.UNKNOWN);
        assertThat(e.sentences().getFirst()).contains("could not be looked into");
        assertThat(e.holdingSeconds().optional()).isEmpty();
        assertThat(Points.explain(Tamper.failed(new Seen(1, 1, 1, 1, 1, 1).trial(), TrialOutcome.Kind.DIED, "x")))
                .isEmpty();
    }
}
