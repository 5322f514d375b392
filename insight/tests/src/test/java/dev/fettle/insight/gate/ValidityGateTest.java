package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.gate.GateInput.Figure;
import dev.fettle.insight.rules.Rule;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The figures of five published experiments (docs/documents), and figures that come near. */
class ValidityGateTest {
    private static List<String> rules(Verdict v) {
        return v.reasons().stream().map(Verdict.Reason::rule).toList();
    }

    private static List<String> rules(GateInput b) {
        return rules(ValidityGate.judge(b));
    }

    private static List<String> advised(GateInput b) {
        return advised(ValidityGate.judge(b));
    }

    private static List<String> advised(Verdict v) {
        return v.advisories().stream().map(Verdict.Advisory::rule).toList();
    }

    private static GateInput figures() {
        return GateInput.published();
    }

    private record Case(String name, GateInput figures, String refusedBy) {}

    @TestFactory
    List<DynamicTest> publishedFiguresAreRefused() {
        return List.of(
                        new Case(
                                "D1: 200,000 responses, 200,000 non-2xx",
                                figures().with(Figure.ANSWERS, 200_000).with(Figure.WRONG, 200_000),
                                "wrong-answers"),
                        new Case(
                                "D4 case 5: 500 clients, 201 ms, 6,926/s",
                                figures()
                                        .with(Figure.CLIENTS, 500)
                                        .with(Figure.MEAN_SECONDS, 0.201)
                                        .with(Figure.THROUGHPUT, 6926),
                                "littles-law"),
                        new Case(
                                "D4 case 5: 1000 clients, 8,122/s",
                                figures()
                                        .with(Figure.CLIENTS, 1000)
                                        .with(Figure.MEAN_SECONDS, 1.79 * 1000 / 8122)
                                        .with(Figure.THROUGHPUT, 8122),
                                "littles-law"),
                        new Case(
                                "D4 case 5: 1500 clients, 8,238/s",
                                figures()
                                        .with(Figure.CLIENTS, 1500)
                                        .with(Figure.MEAN_SECONDS, 1.91 * 1500 / 8238)
                                        .with(Figure.THROUGHPUT, 8238),
                                "littles-law"),
                        new Case(
                                "D4 case 5: 2000 clients, 7,869/s",
                                figures()
                                        .with(Figure.CLIENTS, 2000)
                                        .with(Figure.MEAN_SECONDS, 1.75 * 2000 / 7869)
                                        .with(Figure.THROUGHPUT, 7869),
                                "littles-law"),
                        new Case(
                                "D5: 100 clients, 209/s, 0.01 s",
                                figures()
                                        .with(Figure.CLIENTS, 100)
                                        .with(Figure.THROUGHPUT, 209.10)
                                        .with(Figure.MEAN_SECONDS, 0.01)
                                        .with(Figure.THINK_SECONDS, 0.5),
                                "think-time"),
                        new Case(
                                "D5: 50 clients, 96.25/s, 0.02 s",
                                figures()
                                        .with(Figure.CLIENTS, 50)
                                        .with(Figure.THROUGHPUT, 96.25)
                                        .with(Figure.MEAN_SECONDS, 0.02)
                                        .with(Figure.THINK_SECONDS, 0.5),
                                "think-time"),
                        new Case(
                                "D3: 80 KB/s at 4,800/s",
                                figures().with(Figure.THROUGHPUT, 4800).with(Figure.BYTES_PER_ANSWER, 80_000 / 4800.0),
                                "response-size"),
                        new Case(
                                "D3: 80 KiB/s at 4,800/s",
                                figures()
                                        .with(Figure.THROUGHPUT, 4800)
                                        .with(Figure.BYTES_PER_ANSWER, 80 * 1024 / 4800.0),
                                "response-size"),
                        new Case(
                                "D2: 2 % of connects took 1 s",
                                figures()
                                        .with(Figure.CLIENTS, 2000)
                                        .with(Figure.THROUGHPUT, 12227.55)
                                        .with(Figure.MEAN_SECONDS, 0.1636)
                                        .with(Figure.SLOW_CONNECT_SHARE, 0.02),
                                "connect-queue"),
                        new Case(
                                "a generator thread above 85 % of its core",
                                figures().with(Figure.GENERATOR_CPU_SHARE, 0.86), "generator-limit"),
                        new Case(
                                "send lag p99 above 1 ms", figures().with(Figure.SEND_LAG_P99_MILLIS, 1.1), "send-lag"),
                        new Case(
                                "throughput slope above 2 % a minute",
                                figures().with(Figure.SLOPE_PER_MINUTE, 0.021), "not-steady"),
                        new Case(
                                "throughput slope below −2 % a minute",
                                figures().with(Figure.SLOPE_PER_MINUTE, -0.021), "not-steady"),
                        new Case("steal above 3 %", figures().with(Figure.STEAL, 0.031), "disturbed"),
                        new Case("other processes on our CPUs", figures().with(Figure.FOREIGN_CPU, 0.11), "disturbed"),
                        new Case(
                                "no response at all",
                                figures().with(Figure.VALID, 0).with(Figure.FAILED, 12),
                                "nothing-measured"),
                        new Case(
                                "most attempts timed out",
                                figures().with(Figure.VALID, 49).with(Figure.FAILED, 51),
                                "mostly-failed"),
                        new Case(
                                "idle clients without errors",
                                figures()
                                        .with(Figure.CLIENTS, 100)
                                        .with(Figure.THROUGHPUT, 800)
                                        .with(Figure.MEAN_SECONDS, 0.1)
                                        .with(Figure.VALID, 8000)
                                        .with(Figure.FAILED, 0),
                                "littles-law"),
                        new Case(
                                "a knob without effect",
                                figures()
                                        .withSetting(Setting.of("threads.max", "400"))
                                        .withEffective(Map.of("threads.max", "200")),
                                "not-effective"))
                .stream()
                .map(c -> DynamicTest.dynamicTest(c.name(), () -> {
                    Verdict verdict = ValidityGate.judge(c.figures());
                    assertThat(rules(verdict)).contains(c.refusedBy());
                    assertThat(verdict.reasons())
                            .allSatisfy(r ->
                                    assertThat(r.message()).doesNotContain("\n").contains(": "));
                }))
                .toList();
    }

    @TestFactory
    List<DynamicTest> figuresThatComeNearAreAccepted() {
        return List.of(
                        new Case(
                                "D1 with the page served",
                                figures().with(Figure.ANSWERS, 200_000).with(Figure.WRONG, 0),
                                ""),
                        new Case(
                                "0.1 % wrong answers",
                                figures().with(Figure.ANSWERS, 200_000).with(Figure.WRONG, 200), ""),
                        new Case(
                                "D1: 100 clients at 20,020/s in 4.995 ms",
                                figures()
                                        .with(Figure.CLIENTS, 100)
                                        .with(Figure.THROUGHPUT, 20_020)
                                        .with(Figure.MEAN_SECONDS, 0.004995),
                                ""),
                        new Case(
                                "D2's figures without its connects",
                                figures()
                                        .with(Figure.CLIENTS, 2000)
                                        .with(Figure.THROUGHPUT, 12227.55)
                                        .with(Figure.MEAN_SECONDS, 0.1636),
                                ""),
                        new Case(
                                "500 clients, 201 ms, the 2,488/s that Little allows",
                                figures()
                                        .with(Figure.CLIENTS, 500)
                                        .with(Figure.MEAN_SECONDS, 0.201)
                                        .with(Figure.THROUGHPUT, 2488),
                                ""),
                        new Case(
                                "rounding within 2 %",
                                figures()
                                        .with(Figure.CLIENTS, 100)
                                        .with(Figure.THROUGHPUT, 1019)
                                        .with(Figure.MEAN_SECONDS, 0.1),
                                ""),
                        new Case(
                                "10 % of idle time",
                                figures()
                                        .with(Figure.CLIENTS, 100)
                                        .with(Figure.THROUGHPUT, 910)
                                        .with(Figure.MEAN_SECONDS, 0.1)
                                        .with(Figure.VALID, 9100)
                                        .with(Figure.FAILED, 0),
                                ""),
                        new Case(
                                "idle clients, but many errors explain it",
                                figures()
                                        .with(Figure.CLIENTS, 100)
                                        .with(Figure.THROUGHPUT, 500)
                                        .with(Figure.MEAN_SECONDS, 0.1)
                                        .with(Figure.VALID, 5000)
                                        .with(Figure.FAILED, 900),
                                ""),
                        new Case(
                                "D5 with enough users: 0.13 s of 0.63 s",
                                figures().with(Figure.THINK_SECONDS, 0.5).with(Figure.MEAN_SECONDS, 0.13),
                                ""),
                        new Case(
                                "no think time",
                                figures()
                                        .with(Figure.CLIENTS, 100)
                                        .with(Figure.THROUGHPUT, 10_000)
                                        .with(Figure.MEAN_SECONDS, 0.01)
                                        .with(Figure.THINK_SECONDS, 0),
                                ""),
                        new Case("the smallest response", figures().with(Figure.BYTES_PER_ANSWER, 36), ""),
                        new Case("0.9 % of connects slow", figures().with(Figure.SLOW_CONNECT_SHARE, 0.009), ""),
                        new Case(
                                "slow connects because the target's own queue was full",
                                figures().with(Figure.SLOW_CONNECT_SHARE, 0.1).with(Figure.OWN_QUEUE_FULL, 1),
                                ""),
                        new Case(
                                "slow connects, but 300 for 90,000 responses",
                                figures()
                                        .with(Figure.SLOW_CONNECT_SHARE, 0.5)
                                        .with(Figure.CONNECTS, 300)
                                        .with(Figure.ANSWERS, 90_000),
                                ""),
                        new Case("generator thread at 85 %", figures().with(Figure.GENERATOR_CPU_SHARE, 0.85), ""),
                        new Case("send lag of 1 ms", figures().with(Figure.SEND_LAG_P99_MILLIS, 1.0), ""),
                        new Case("slope of 2 % a minute", figures().with(Figure.SLOPE_PER_MINUTE, 0.02), ""),
                        new Case("steal of 3 %", figures().with(Figure.STEAL, 0.03), ""),
                        new Case("a machine at rest", figures().with(Figure.FOREIGN_CPU, 0.03), ""),
                        new Case(
                                "half of the attempts timed out: an answer, if a bad one",
                                figures().with(Figure.VALID, 50).with(Figure.FAILED, 50),
                                ""),
                        new Case(
                                "set as read back",
                                figures()
                                        .withSetting(Setting.of(
                                                Map.of("jvm.heap", "512m", "jvm.gc", "g1", "backlog", "100")))
                                        .withEffective(
                                                Map.of("jvm.heap", "536870912", "jvm.gc", "G1", "threads.max", "7")),
                                ""),
                        new Case("nothing known", figures(), ""))
                .stream()
                .map(c -> DynamicTest.dynamicTest(
                        c.name(), () -> assertThat(rules(c.figures())).isEmpty()))
                .toList();
    }

    /** X·R/N of the audit's table A.7, as published means are only known through it. */
    @Test
    void littlesLawOnEveryCellOfD4() {
        record Cell(int clients, double x, double little) {}
        var honest = List.of(
                new Cell(100, 422, 0.97),
                new Cell(500, 1545, 0.98),
                new Cell(1000, 2415, 0.92),
                new Cell(1500, 197, 0.43),
                new Cell(500, 1935, 0.99),
                new Cell(1000, 3086, 0.99),
                new Cell(1500, 3458, 0.96),
                new Cell(2000, 2815, 0.82),
                new Cell(3000, 2487, 0.73),
                new Cell(100, 450, 0.98),
                new Cell(500, 2240, 0.98),
                new Cell(1000, 105, 0.03),
                new Cell(500, 2171, 0.86),
                new Cell(1000, 4087, 0.81),
                new Cell(1500, 5106, 0.72),
                new Cell(2000, 5820, 0.64));
        var impossible = List.of(
                new Cell(500, 6926, 2.78),
                new Cell(1000, 8122, 1.79),
                new Cell(1500, 8238, 1.91),
                new Cell(2000, 7869, 1.75));
        for (Cell c : honest) {
            assertThat(rules(figures()
                            .with(Figure.CLIENTS, c.clients())
                            .with(Figure.THROUGHPUT, c.x())
                            .with(Figure.MEAN_SECONDS, c.little() * c.clients() / c.x())))
                    .as("%s", c)
                    .isEmpty();
        }
        for (Cell c : impossible) {
            assertThat(rules(figures()
                            .with(Figure.CLIENTS, c.clients())
                            .with(Figure.THROUGHPUT, c.x())
                            .with(Figure.MEAN_SECONDS, c.little() * c.clients() / c.x())))
                    .as("%s", c)
                    .containsExactly("littles-law");
        }
    }

    @Test
    void passingCausesAndOthersAreToldApart() {
        var passing = ValidityGate.rules().stream()
                .filter(r -> r.entry().has("passing"))
                .map(Rule::id)
                .toList();
        assertThat(passing)
                .containsExactlyInAnyOrder("disturbed", "send-lag", "agent-lost", "agent-late", "clock-unsure");
        assertThat(ValidityGate.rules()).extracting(Rule::id).doesNotHaveDuplicates();
    }

    @Test
    void messageHoldsFigureBoundAndMeaning() {
        Verdict v = ValidityGate.judge(figures()
                .with(Figure.CLIENTS, 500)
                .with(Figure.MEAN_SECONDS, 0.201)
                .with(Figure.THROUGHPUT, 6926));
        assertThat(v.reasons().getFirst().message())
                .isEqualTo(
                        "6,926/s × 201 ms is 1,392 requests in flight from 500 clients (2.78, at most 1.02): Little's law allows 2,488/s,"
                                + " so the figures contradict each other");
    }

    @Test
    void sharedCpusAreAnAdvisoryOnly() {
        GateInput in = figures().withServerCpus(Set.of(0, 1)).withGeneratorCpus(Set.of(1));
        assertThat(ValidityGate.judge(in).valid()).isTrue();
        assertThat(ValidityGate.judge(in).advisories()).singleElement().satisfies(a -> {
            assertThat(a.rule()).isEqualTo("shared-cpus");
            assertThat(a.message()).contains("CPU 1");
        });
        assertThat(advised(figures().withServerCpus(Set.of(0)).withGeneratorCpus(Set.of(1))))
                .isEmpty();
    }

    // a whole trial

    private static TrialOutcome trial() {
        return Simulated.server(25, 0.05, 0.0002, 1, 300).run(1, spec());
    }

    private static TrialSpec spec() {
        return new TrialSpec(
                TrialSpec.Phase.SWEEP, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, Simulated.load(300));
    }

    private static Measurement with(Measurement m, Map<ErrorKind, Long> errors, double occupied, List<Window> windows) {
        return m.with()
                .errors(errors)
                .errorExamples(Map.of())
                .occupied(occupied)
                .reconnects(0)
                .windows(windows)
                .detail(Measurement.Detail.NONE)
                .build();
    }

    private static List<String> judge(Measurement m) {
        return rules(ValidityGate.judge(spec(), m, trial().evidence()));
    }

    @Test
    void aBodyThatEndsWithTheConnectionNeedsNoLength() {
        Measurement m = trial().measurement().orElseThrow();
        int least = "HTTP/1.1 200 OK\r\n\r\nok".length();
        assertThat(judge(of(m, least, 0))).containsExactly("response-size");
        assertThat(judge(of(m, least, m.responses()))).isEmpty();
        assertThat(judge(of(m, 7, m.responses()))).containsExactly("response-size");
    }

    private static Measurement of(Measurement m, int bytes, long reconnects) {
        return m.with()
                .errorExamples(Map.of())
                .bytesRead(bytes * m.responses())
                .reconnects(reconnects)
                .detail(Measurement.Detail.NONE)
                .build();
    }

    /** An answer over HTTP/2 or a WebSocket may be a few bytes, and a connect may take more than TCP's time there. */
    @Test
    void whatNoHttp1ResponseCouldBeIsRightElsewhere() {
        Measurement m = trial().measurement().orElseThrow();
        LatencySummary slow = new LatencySummary(
                m.responses(),
                1e9,
                1_000_000_000,
                1_000_000_000,
                1_000_000_000,
                1_000_000_000,
                1_000_000_000,
                1_000_000_000,
                1_000_000_000,
                1_000_000_000);
        Measurement tiny = m.with()
                .errorExamples(Map.of())
                .bytesRead(7 * m.responses())
                .connect(slow)
                .reconnects(0)
                .detail(Measurement.Detail.NONE)
                .build();
        assertThat(judge(tiny, Protocol.HTTP_1_1)).containsExactly("response-size", "connect-queue");
        assertThat(judge(tiny, Protocol.HTTP_2)).isEmpty();
        assertThat(judge(tiny, Protocol.WEB_SOCKET_TEXT)).isEmpty();
        // a slow TLS handshake is no lost SYN, unless the kernel sent that many again
        var tls = Wire.PLAIN.with(new Tls(Optional.empty(), true, false));
        assertThat(judge(tiny, tls, trial().evidence().orElseThrow())).containsExactly("response-size");
        Evidence e = trial().evidence().orElseThrow();
        Evidence lost = e.withAggregates(e.aggregates().with(Aggregate.SYN_RETRANSMITS, 5000));
        assertThat(judge(tiny, tls, lost)).containsExactly("response-size", "connect-queue");
    }

    @Test
    void countsAreWhole() {
        assertThat(message(figures().with(Figure.VALID, 0).with(Figure.FAILED, 5)))
                .startsWith("0 valid responses and 5 failed attempts: ");
        assertThat(message(figures().with(Figure.VALID, 0).with(Figure.FAILED, 1)))
                .startsWith("0 valid responses and 1 failed attempt: ");
        assertThat(message(figures().with(Figure.ANSWERS, 3000).with(Figure.WRONG, 12)))
                .startsWith("12 of 3,000 responses (");
        assertThat(message(figures()
                        .with(Figure.CLIENTS, 64)
                        .with(Figure.MEAN_SECONDS, 0.201)
                        .with(Figure.THROUGHPUT, 6926)))
                .contains(" from 64 clients (");
    }

    private static String message(GateInput in) {
        return ValidityGate.judge(in).reasons().getFirst().message();
    }

    private static List<String> judge(Measurement m, Protocol protocol) {
        Wire wire = new Wire(protocol, 1, Optional.empty(), TransportKind.AUTO, List.of());
        return judge(m, wire, trial().evidence().orElseThrow());
    }

    private static List<String> judge(Measurement m, Wire wire, Evidence evidence) {
        TrialSpec spec = new TrialSpec(
                TrialSpec.Phase.SWEEP,
                "",
                Map.of(),
                0,
                Simulated.target(),
                Setting.DEFAULT,
                Simulated.load(300).withWire(wire));
        return rules(ValidityGate.judge(spec, m, Optional.of(evidence)));
    }

    @Test
    void aGoodTrialIsValidAndEachSpoiltOneIsNot() {
        Measurement m = trial().measurement().orElseThrow();
        double all = 300 * 10;
        assertThat(judge(m)).isEmpty();
        assertThat(judge(with(m, Map.of(ErrorKind.STATUS, m.responses() / 500), all, List.of())))
                .containsExactly("wrong-answers");
        assertThat(judge(with(
                        m, Map.of(ErrorKind.READ_TIMEOUT, m.responses() / 2, ErrorKind.RESET, 9L), all, List.of())))
                .as("time-outs are a real answer")
                .isEmpty();
        assertThat(judge(with(m, Map.of(ErrorKind.REFUSED, m.responses() * 2), all, List.of())))
                .containsExactly("mostly-failed");
        assertThat(judge(with(m, Map.of(), 0.7 * all, List.of()))).containsExactly("littles-law");
        assertThat(judge(with(m, Map.of(), 1.2 * all, List.of()))).containsExactly("littles-law");
    }

    /** Any kind of wrong answer, a failed check of a scenario among them, voids a trial from 0.1 % on; what is none does not. */
    @ParameterizedTest
    @EnumSource(ErrorKind.class)
    void wrongAnswersOfAnyKindVoidATrial(ErrorKind kind) {
        Measurement m = trial().measurement().orElseThrow();
        double all = 300 * 10;
        List<String> expected = kind.isWrongAnswer()
                ? List.of("wrong-answers")
                : kind.isGenerators() ? List.of("generator-limit") : List.of();
        assertThat(judge(with(m, Map.of(kind, m.responses() / 500), all, List.of())))
                .isEqualTo(expected);
        assertThat(judge(with(m, Map.of(kind, m.responses() * 9 / 10), all, List.of())))
                .isEqualTo(expected);
        assertThat(judge(with(m, Map.of(kind, m.responses() / 2000), all, List.of())))
                .isEmpty();
    }

    @Test
    void anOpenLoadIsJudgedByItsSendLagAndNotByClients() {
        Measurement m = trial().measurement().orElseThrow();
        TrialSpec open = spec(Simulated.load(300).withArrivals(Arrivals.Open.constant(200)));
        assertThat(rules(ValidityGate.judge(open, with(m, Map.of(), 0.1, List.of()), trial().evidence())))
                .isEmpty();
        assertThat(rules(ValidityGate.judge(open, with(m, Map.of(), 99 * 300 * 10, List.of()), trial().evidence())))
                .as("requests that wait for a connection are under way, too")
                .isEmpty();
        ObjectNode tree = Json.mapper().valueToTree(trial().evidence().orElseThrow());
        Evidence late = Json.mapper().convertValue(tree.put("sendLagP99Millis", 1.5), Evidence.class);
        assertThat(rules(ValidityGate.judge(open, m, Optional.of(late)))).containsExactly("send-lag");
        // in a spike an answer is good or not: 1.5 ms decide nothing where 250 ms are allowed, and much where 10 ms are
        assertThat(rules(ValidityGate.judgeSpike(open, m, Optional.of(late), Slo.parse("p99<250ms"))))
                .isEmpty();
        assertThat(rules(ValidityGate.judgeSpike(open, m, Optional.of(late), Slo.parse("p99<10ms"))))
                .containsExactly("send-lag");
    }

    /** Whatever judges its figures: it matters whether they are of CPUs of its own. */
    @Test
    void stolenAndSharedCpusAreAdvisoriesOfASpikeAndOfAProbe() {
        Measurement m = trial().measurement().orElseThrow();
        TrialSpec open = spec(Simulated.load(300).withArrivals(Arrivals.Open.constant(200)));
        Evidence e = trial().evidence().orElseThrow();
        var elsewhere = e.with()
                .cpus(new Evidence.Cpus(Set.of(0, 1), Set.of(1)))
                .aggregates(e.aggregates().withOthers(OptionalFigure.empty(), OptionalFigure.of(0.02)))
                .build();
        assertThat(advised(ValidityGate.judgeSpike(open, m, Optional.of(elsewhere), Slo.parse("p99<250ms"))))
                .containsExactly("stolen", "shared-cpus");
        assertThat(ValidityGate.ofProbe(open, m, Optional.of(elsewhere)))
                .extracting(Verdict.Advisory::rule)
                .containsExactly("stolen", "shared-cpus");
        assertThat(ValidityGate.ofProbe(open, m, Optional.of(e))).isEmpty();
    }

    @Test
    void heldRequestsAreAnAdvisory() {
        GateInput in = figures().with(Figure.HELD_SHARE, 0.05);
        assertThat(ValidityGate.judge(in).valid()).isTrue();
        assertThat(ValidityGate.judge(in).advisories())
                .singleElement()
                .asString()
                .contains("held")
                .contains("5 %");
    }

    @Test
    void requestsThatAreStuckAreAnAdvisory() {
        Measurement m = trial().measurement().orElseThrow();
        assertThat(advised(ValidityGate.judge(spec(), m, trial().evidence()))).isEmpty();
        Measurement stuck = m.withDetail(m.detail().withStuck(Optional.of(new Measurement.Stuck(2, 7.01))));
        Verdict verdict = ValidityGate.judge(spec(), stuck, trial().evidence());
        assertThat(verdict.valid()).isTrue();
        assertThat(verdict.advisories()).singleElement().satisfies(a -> {
            assertThat(a.rule()).isEqualTo("unanswered");
            assertThat(a.message())
                    .startsWith("2 requests had no answer when the load ended, the oldest after 7.01 s, more");
        });
        assertThat(stuck.errorShare()).isGreaterThan(0);
    }

    @Test
    void thinkTimeOccupiesAClientAndIsSaidWhenItSetsTheThroughput() {
        Measurement m = trial().measurement().orElseThrow();
        double attempts = m.responses();
        double think = 3000 / attempts - 0.01; // the rest of each client's time, but for 10 ms a request
        Load load = Simulated.load(300).withArrivals(new Arrivals.Closed(Duration.ofNanos((long) (think * 1e9))));
        Measurement quick = with(m, Map.of(), 0.01 * attempts, List.of());
        Verdict verdict = ValidityGate.judge(spec(load), quick, trial().evidence());
        assertThat(rules(verdict)).isEmpty();
        assertThat(advised(verdict)).containsExactly("think-time");
        assertThat(verdict.advises("think-time")).isTrue();
        assertThat(rules(ValidityGate.judge(spec(), quick, trial().evidence()))).containsExactly("littles-law");
    }

    /** Of a pause that began before the measuring, or goes on after it, a part is not in it. */
    @Test
    void aPauseMayStraddleTheEnds() {
        GateInput edge = figures()
                .with(Figure.CLIENTS, 8)
                .with(Figure.THINK_SECONDS, 1)
                .with(Figure.VALID, 8)
                .with(Figure.FAILED, 0);
        assertThat(rules(edge.with(Figure.OCCUPIED_SHARE, 1.15))).containsExactly("littles-law");
        GateInput straddling = edge.with(Figure.EDGE, 0.2);
        assertThat(rules(straddling.with(Figure.OCCUPIED_SHARE, 1.15))).isEmpty();
        assertThat(rules(straddling.with(Figure.OCCUPIED_SHARE, 0.75))).isEmpty();
        assertThat(rules(straddling.with(Figure.OCCUPIED_SHARE, 0.65))).containsExactly("littles-law");
        assertThat(rules(straddling.with(Figure.THINK_SECONDS, 0).with(Figure.OCCUPIED_SHARE, 1.15)))
                .as("requests are measured exactly")
                .containsExactly("littles-law");
    }

    @Test
    void aScenarioWhoseUsersThinkIsNotHeldAgainstItsClients() {
        var first = Simulated.step("s", Duration.ofSeconds(1));
        var scenario = new Scenario(
                List.of(new Scenario.Flow("main", 1, List.of(first, Simulated.step("s", Duration.ZERO)))),
                List.of(),
                Map.of(),
                false,
                1);
        Measurement idle = with(trial().measurement().orElseThrow(), Map.of(), 1, List.of());
        TrialSpec spec = spec(Simulated.load(300).withScenario(scenario));
        assertThat(rules(ValidityGate.judge(spec, idle, trial().evidence()))).isEmpty();
        assertThat(advised(ValidityGate.judge(spec, idle, trial().evidence())))
                .as("but said")
                .containsExactly("think-time");
        Measurement busy = with(idle, Map.of(), 0.5 * 3000, List.of());
        assertThat(advised(ValidityGate.judge(spec, busy, trial().evidence()))).isEmpty();
    }

    private static TrialSpec spec(Load load) {
        return new TrialSpec(TrialSpec.Phase.SWEEP, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, load);
    }

    @Test
    void connectsAreJudgedOnlyWhereTheyAreInTheMeasuredPhase() {
        Measurement m = trial().measurement().orElseThrow();
        var slow = new LatencySummary(m.responses(), 5e7, 100, 200, 300, 400, 1_003_000_000, 1, 1, 1);
        var few = new LatencySummary(12, 5e8, 1_003_000_000, 1_003_000_000, 1, 1, 1_003_000_000, 1, 1, 1);
        assertThat(judge(connects(m, slow))).containsExactly("connect-queue");
        assertThat(judge(connects(m, few))).isEmpty();
    }

    @Test
    void aFullQueueOfTheTargetIsAdvised() {
        GateInput slow = figures().with(Figure.SLOW_CONNECT_SHARE, 0.1);
        assertThat(advised(slow)).doesNotContain("connect-queue");
        assertThat(advised(slow.with(Figure.OWN_QUEUE_FULL, 1))).contains("connect-queue");
        assertThat(advised(figures().with(Figure.OWN_QUEUE_FULL, 1))).doesNotContain("connect-queue");
        assertThat(advised(slow.with(Figure.OWN_QUEUE_FULL, 1)
                        .with(Figure.CONNECTS, 300)
                        .with(Figure.ANSWERS, 90_000)))
                .doesNotContain("connect-queue");
    }

    private static Measurement connects(Measurement m, LatencySummary connect) {
        return m.with()
                .errors(Map.of())
                .errorExamples(Map.of())
                .connect(connect)
                .reconnects(0)
                .windows(List.of())
                .detail(Measurement.Detail.NONE)
                .build();
    }

    private static List<Window> run(int n, double slopePerMinute, double noise, long seed) {
        var random = new Random(seed);
        var windows = new ArrayList<Window>();
        for (int i = 0; i < n; i++) {
            double x = 2000 * (1 + slopePerMinute * i * 0.5 / 60) * (1 + noise * random.nextGaussian());
            windows.add(new Window(3 + i * 0.5, 0.5, Math.round(x * 0.5), 0, 1, true));
        }
        return windows;
    }

    /** A trial is not left out for what its throughput did: that would be to choose by the result. */
    @Test
    void driftIsSaidAndVoidsNothing() {
        var falls = figures().withWindows(run(40, -0.9, 0.02, 1));
        assertThat(ValidityGate.judge(falls).valid()).isTrue();
        assertThat(ValidityGate.judge(falls).advisories()).singleElement().satisfies(a -> {
            assertThat(a.rule()).isEqualTo("not-steady");
            assertThat(a.message()).startsWith("throughput fell by 3").contains("within the 20.0 s measured");
        });
        assertThat(advised(figures().withWindows(run(4, 3, 0, 1))))
                .as("too few windows")
                .isEmpty();
    }

    /** The rate of an open load with stages changes because it is told to. */
    @Test
    void aRampIsNoDrift() {
        Measurement m = with(trial().measurement().orElseThrow(), Map.of(), 1, run(40, -0.9, 0.01, 1));
        assertThat(advised(ValidityGate.judge(open(2000, 2000), m, trial().evidence())))
                .contains("not-steady");
        assertThat(advised(ValidityGate.judge(open(3000, 1000), m, trial().evidence())))
                .doesNotContain("not-steady");
    }

    private static TrialSpec open(double from, double to) {
        var stage = new Arrivals.Stage(from, to, Duration.ofSeconds(20), 1);
        return spec(Simulated.load(300).withArrivals(new Arrivals.Open(List.of(stage), false, 1)));
    }

    @Test
    void warmUpWindowsAreNotJudged() {
        var windows = new ArrayList<Window>();
        for (int i = 0; i < 20; i++) {
            windows.add(new Window(i * 0.5, 0.5, 50L * i, 0, 1, false));
        }
        run(20, 0, 0.01, 1).forEach(w -> windows.add(new Window(w.at() + 10, w.seconds(), w.responses(), 0, 1, true)));
        assertThat(advised(figures().withWindows(windows))).isEmpty();
    }
}
