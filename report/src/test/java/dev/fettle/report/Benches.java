package dev.fettle.report;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Conditions;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Benches as every output must be able to show them. */
public final class Benches {
    public static final String SECRET = "hunter2hunter2";

    private static final Load SECRETIVE = new Load(
            300,
            true,
            new Load.Request(
                    "POST",
                    "/login?token=" + SECRET,
                    Map.of("Authorization", "Bearer " + SECRET, "Cookie", "sid=" + SECRET),
                    Optional.of("password=" + SECRET)),
            Load.Expect.OK,
            Duration.ofSeconds(5),
            Duration.ZERO,
            Duration.ofSeconds(10),
            2,
            Arrivals.Closed.BACK_TO_BACK,
            Wire.PLAIN,
            Optional.empty());

    private Benches() {}

    public static Map<String, BenchReport> all() {
        var all = new LinkedHashMap<String, BenchReport>();
        all.put("closed", closed());
        all.put("open", open());
        all.put("scenario", scenario());
        all.put("dead", dead());
        all.put("hostile", hostile());
        all.put("stuck", stuck());
        all.put("agents", agents());
        return all;
    }

    public static BenchReport closed() {
        return report(Fixtures.LOAD, Fixtures.measurement(3000, 50, 0.2, 3), Verdict.VALID);
    }

    /** 2,000 a second were wanted of a server that does 1,500. */
    public static BenchReport open() {
        Measurement m = Fixtures.measurement(1500, 800, 0.5, 4);
        Measurement served = Fixtures.measurement(1500, 20, 0.2, 5);
        Load load = SECRETIVE
                .withArrivals(new Arrivals.Open(
                        List.of(
                                new Arrivals.Stage(0, 2000, Duration.ofSeconds(5), 1),
                                new Arrivals.Stage(2000, 2000, Duration.ofSeconds(5), 20)),
                        true,
                        7))
                .withWire(new Wire(
                        Protocol.HTTP_2,
                        8,
                        Optional.of(new Tls(Optional.empty(), true, false)),
                        TransportKind.IO_URING,
                        List.of("127.0.0.2")));
        return report(
                load,
                with(
                        m,
                        Measurement.Detail.NONE
                                .with()
                                .service(served.latency())
                                .firstByte(served.latency())
                                .sendLag(new LatencySummary(
                                        15_000, 1e5, 50, 60, 70, 80, 1_500_000, 2_000_000, 2_000_000, 3_000_000))
                                .offered(Optional.of(new Measurement.Offered(20_000, 14_000, 4_980, 0)))
                                .abandoned(20)
                                .bytesWritten(123_456)
                                .notes(List.of("through NIO: io_uring is forbidden here"))
                                .serviceHistogram(served.histogram())
                                .build()),
                new Verdict(List.of(
                        new Verdict.Reason("send-lag", "1 % of the requests left 1.50 ms late or later", true))),
                checks(m, "p99>50ms", "throughput<100/s"));
    }

    /** Sent by two other hosts, of which one was lost. */
    public static BenchReport agents() {
        BenchReport one = closed();
        LatencySummary seen = one.measurement().latency();
        var agents = List.of(
                new AgentFigures("perf@gen-1", 2_000, 1, seen, 0.01, 0.25, 0, OptionalFigure.of(0.4), ""),
                new AgentFigures(
                        "gen-2",
                        0,
                        0,
                        LatencySummary.NONE,
                        0,
                        0.5,
                        0.1,
                        OptionalFigure.empty(),
                        "the connection ended"));
        return new BenchReport(
                one.target(),
                one.load(),
                one.measurement(),
                one.evidence().withAgents(agents),
                new Verdict(List.of(new Verdict.Reason("agent-lost", "gen-2 was lost: the connection ended", true))),
                one.checks(),
                one.started());
    }

    /** One of its ten connections hangs. */
    public static BenchReport stuck() {
        Measurement m = Fixtures.measurement(3000, 50, 0.2, 3);
        return report(
                Fixtures.LOAD,
                with(
                        m,
                        m.detail()
                                .with()
                                .abandoned(10)
                                .stuck(Optional.of(new Measurement.Stuck(1, 7.01)))
                                .build()),
                Verdict.VALID);
    }

    /** The same of users who log in, in two steps: what is due are iterations. */
    public static BenchReport iterations() {
        BenchReport r = open();
        return new BenchReport(
                r.target(),
                r.load().withScenario(login()),
                r.measurement(),
                r.evidence(),
                r.verdict(),
                r.checks(),
                r.started());
    }

    /** A scenario of two steps. */
    static Scenario login() {
        List<Scenario.Step> steps = List.of("page", "home").stream()
                .map(name -> new Scenario.Step(
                        name,
                        "GET",
                        "/" + name,
                        Map.of(),
                        Optional.empty(),
                        Map.of(),
                        Set.of(),
                        List.of(),
                        List.of(),
                        Duration.ZERO,
                        Duration.ZERO,
                        false))
                .toList();
        return new Scenario(List.of(new Scenario.Flow("user", 1, steps)), List.of(), Map.of(), false, 1);
    }

    public static BenchReport scenario() {
        Measurement m = Fixtures.measurement(100, 5, 0.2, 6);
        return report(
                Fixtures.LOAD,
                with(
                        m,
                        Measurement.Detail.NONE
                                .with()
                                .service(m.latency())
                                .firstByte(m.latency())
                                .steps(List.of(
                                        new Measurement.Step("load page", m.latency(), 0),
                                        new Measurement.Step(
                                                "log in with an account and a password", LatencySummary.NONE, 12)))
                                .bytesWritten(10)
                                .build()),
                Verdict.VALID);
    }

    public static BenchReport dead() {
        var m = new Measurement(
                Duration.ofSeconds(2),
                0,
                Map.of(ErrorKind.READ_TIMEOUT, 12L, ErrorKind.REFUSED, 3L),
                Map.of(ErrorKind.READ_TIMEOUT, "no answer \u001b[31m within 5 s"),
                Map.of(404, 7L),
                0,
                0,
                LatencySummary.NONE,
                new LatencySummary(3, 1e9, 1, 1, 1, 1, 1, 1, 1, 1_002_000_000),
                0,
                0,
                List.of(),
                "not base64!",
                Measurement.Detail.NONE);
        return report(
                Fixtures.LOAD,
                m,
                new Verdict(List.of(new Verdict.Reason("nothing-measured", "0 valid responses", false))),
                checks(m, "p99>50ms", "errors>0.1%"));
    }

    /** Names and messages that want to break out. */
    private static BenchReport hostile() {
        String evil = "</testcase>\"'\\ \u001b[31m\n# HELP x\u202e{}\u0000";
        var m = new Measurement(
                Duration.ofSeconds(1),
                1,
                Map.of(ErrorKind.MALFORMED, 1L, ErrorKind.of("A_KIND_OF_TOMORROW"), 2L),
                Map.of(ErrorKind.MALFORMED, evil),
                Map.of(200, 1L),
                100,
                0.1,
                new LatencySummary(1, 5, 5, 5, 5, 5, 5, 5, 5, 5),
                LatencySummary.NONE,
                0,
                1,
                List.of(new Measurement.Window(0, 1, 1, 1, 5, true)),
                "",
                Measurement.Detail.NONE
                        .with()
                        .steps(List.of(new Measurement.Step(evil, LatencySummary.NONE, 1)))
                        .notes(List.of(evil))
                        .build());
        return new BenchReport(
                evil,
                Fixtures.LOAD.withPath("/" + evil),
                m,
                evidence(),
                new Verdict(List.of(new Verdict.Reason("rule", evil, false))),
                List.of(),
                Fixtures.START);
    }

    private static BenchReport report(Load load, Measurement m, Verdict verdict) {
        return report(load, m, verdict, List.of());
    }

    private static BenchReport report(Load load, Measurement m, Verdict verdict, List<BenchReport.Check> checks) {
        Evidence all = evidence();
        Evidence seen = load.arrivals() instanceof Arrivals.Open
                ? all
                : all.with().sendLagP99Millis(OptionalFigure.empty()).build(); // it has no time to keep
        return new BenchReport("http://127.0.0.1:8080", load, m, seen, verdict, checks, Fixtures.START);
    }

    private static List<BenchReport.Check> checks(Measurement m, String... texts) {
        var figures = new HistogramValues(m);
        return List.of(texts).stream()
                .map(t -> {
                    Condition c = Conditions.parse(t).all().getFirst();
                    return new BenchReport.Check(c, c.metric().of(figures), c.holds(figures));
                })
                .toList();
    }

    private static Measurement with(Measurement m, Measurement.Detail detail) {
        return m.withDetail(detail);
    }

    private static Evidence evidence() {
        return new Evidence(
                0,
                Evidence.Cpus.UNKNOWN,
                Aggregates.NOTHING
                        .with(Aggregate.STEAL, OptionalFigure.of(0.001))
                        .with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(0))
                        .with(Aggregate.SYN_RETRANSMITS, OptionalFigure.of(1)),
                OptionalFigure.of(0.41),
                OptionalFigure.of(1.5),
                OptionalInt.empty(),
                0,
                Map.of(),
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of(),
                dev.fettle.model.trial.Conditions.ALONE);
    }
}
