package dev.fettle.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.api.Tls;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Benches;
import dev.fettle.report.Wording;
import dev.fettle.report.document.BenchDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchSummaryTest {
    private static String text(BenchReport r) {
        return new TextReport(100, false).document(BenchDocument.of(r));
    }

    /** The text, whatever the columns' widths. */
    private static String said(BenchReport r) {
        return text(r).replaceAll(" {2,}", " ");
    }

    @Test
    void theFiguresThatPeopleKnow() {
        assertThat(said(Benches.closed()))
                .contains(
                        "bench http://127.0.0.1:8080",
                        "Load closed, 300 connections, keep-alive, 2 generator threads",
                        "Complete requests 30,000",
                        "Failed requests 0",
                        "Connections 300 of 300 achieved",
                        "Kernel 1 SYN sent again, 0 accept-queue overflows in this network namespace",
                        "Throughput 3,000/s",
                        "Transfer rate 5.41 MiB/s",
                        "50 %",
                        " 99.99 %",
                        " max",
                        "Where the time goes",
                        "standard deviation",
                        "busiest thread 41 % of a core",
                        "it was not the limit",
                        "####",
                        "up to")
                .doesNotContain("retransmitted", "\u001b", "Offered", "service", "--fail-if", "Steps");
    }

    private static BenchReport seen(BenchReport r, double generatorSteal, OptionalFigure drops, Verdict verdict) {
        Evidence e = r.evidence();
        var host = Aggregates.NOTHING
                .with(Aggregate.STEAL, e.get(Aggregate.STEAL))
                .with(Aggregate.GENERATOR_STEAL, OptionalFigure.of(generatorSteal))
                .with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(40))
                .with(Aggregate.SYN_RETRANSMITS, OptionalFigure.of(0))
                .with(Aggregate.ACCEPT_QUEUE_DROPS, drops);
        var other = e.withAggregates(host);
        return new BenchReport(r.target(), r.load(), r.measurement(), other, verdict, r.checks(), r.started());
    }

    /** A generator that got no more CPU time uses little of it. */
    @Test
    void whereOthersTookCpuTimeItIsNotKnownWhatTheLimitWas() {
        String unknown = "whether it was the limit is not known, as others took CPU time from it";
        OptionalFigure none = OptionalFigure.empty();
        var disturbed = new Verdict(List.of(new Verdict.Reason("disturbed", "others used 40 %", true)));
        assertThat(oneLine(seen(Benches.closed(), 0.03, none, Verdict.VALID))).contains(unknown);
        assertThat(oneLine(seen(Benches.closed(), 0, none, disturbed)))
                .contains(unknown)
                .doesNotContain("it was not the limit");
        assertThat(oneLine(seen(Benches.closed(), 0.005, none, Verdict.VALID))).contains("it was not the limit");
        assertThat(oneLine(seen(Benches.open(), 0.03, none, Verdict.VALID)))
                .as("its lag is known")
                .contains("it was not the limit");
    }

    /** Clients that think must be let go in time, so there is a lag to look at. */
    @Test
    void theLagOfThinkingClientsTellsWhetherTheGeneratorWasTheLimit() {
        BenchReport r = seen(Benches.closed(), 0.03, OptionalFigure.empty(), Verdict.VALID);
        Evidence timed =
                r.evidence().with().sendLagP99Millis(OptionalFigure.of(0.4)).build();
        assertThat(oneLine(new BenchReport(
                        r.target(), r.load(), r.measurement(), timed, r.verdict(), r.checks(), r.started())))
                .contains("99 % of the requests left within 400 µs: it was not the limit");
    }

    /** A generator that has the server's CPUs got what the server left; unless the two did not fill them. */
    @Test
    void onTheServersCpusItIsNotKnownWhatTheLimitWas() {
        String unknown = "whether it was the limit is not known, as it shares its CPUs with the server";
        BenchReport r = seen(Benches.closed(), 0, OptionalFigure.empty(), Verdict.VALID);
        double seconds = r.measurement().elapsed().toNanos() / 1e9;
        assertThat(oneLine(on(r, Set.of(0, 1), Set.of(0, 1), OptionalFigure.empty())))
                .contains(unknown);
        assertThat(oneLine(on(r, Set.of(0, 1), Set.of(1), OptionalFigure.of(1.5 * seconds))))
                .as("41 % of a core and 1.5 of two")
                .contains(unknown);
        assertThat(oneLine(on(r, Set.of(0, 1), Set.of(1), OptionalFigure.of(0.5 * seconds))))
                .contains("it was not the limit");
        assertThat(oneLine(on(r, Set.of(0), Set.of(1), OptionalFigure.empty()))).contains("it was not the limit");
        BenchReport open = seen(Benches.open(), 0, OptionalFigure.empty(), Verdict.VALID);
        assertThat(oneLine(on(open, Set.of(0), Set.of(0), OptionalFigure.empty())))
                .as("its lag is known")
                .contains("it was not the limit");
    }

    private static BenchReport on(
            BenchReport r, Set<Integer> server, Set<Integer> generator, OptionalFigure serverCpu) {
        Evidence e = r.evidence();
        var other = e.with()
                .cpus(new Evidence.Cpus(server, generator))
                .aggregates(e.aggregates().with(Aggregate.SERVER_CPU_SECONDS, serverCpu))
                .build();
        return new BenchReport(r.target(), r.load(), r.measurement(), other, r.verdict(), r.checks(), r.started());
    }

    private static String oneLine(BenchReport r) {
        return text(r).replaceAll("\\s+", " ");
    }

    /** Other servers of the same host overflow, too. */
    @Test
    void theServersOwnQueueIsToldFromThoseOfOthers() {
        assertThat(said(seen(Benches.closed(), 0, OptionalFigure.of(0), Verdict.VALID)))
                .contains("Kernel 0 SYNs sent again, 0 overflows of the server's accept queue");
        assertThat(said(seen(Benches.closed(), 0, OptionalFigure.empty(), Verdict.VALID)))
                .contains("0 SYNs sent again, 40 accept-queue overflows in this network namespace");
    }

    @Test
    void anOpenLoadSaysWhatItCouldNotDo() {
        assertThat(said(Benches.open()))
                .contains(
                        "open, 0 to 2,000/s for 5s, 2,000/s for 5s in bursts of 20, Poisson, up to 300",
                        "HTTP/2, TLS, 8 streams each",
                        "Offered 2,000/s, 20,000 requests due",
                        "Achieved 75 % of them",
                        "Held back 14,000 were due while no connection was free",
                        "Never sent 4,980 were still waiting",
                        "Given up 20 under way",
                        "latency service time",
                        "The two differ because",
                        "99 % of the requests left within 1.50 ms: it was late",
                        "through NIO: io_uring is forbidden here",
                        "FAILED: p99 was 2",
                        "passed: throughput was 1,500/s; fails if throughput<100/s",
                        "CAUTION (send-lag): 1 % of the requests left 1.50 ms late");
    }

    @Test
    void whatIsStuckIsTold() {
        assertThat(oneLine(Benches.stuck()))
                .contains(
                        "Given up 10 under way when the load ended, 1 of them for more than twice as long as any answer took, the oldest"
                                + " for 7.01 s: they count as errors");
        assertThat(oneLine(Benches.open())).contains("Given up 20 under way when the load ended, not counted");
    }

    @Test
    void iterationsThatAreDueAreNotComparedWithRequests() {
        assertThat(said(Benches.iterations()))
                .contains("Offered 2,000/s, 20,000 iterations due", "38 % of their requests")
                .doesNotContain("requests due");
    }

    @Test
    void failuresByKindAndPhaseWithTheFirstExampleAndAdvice() {
        assertThat(said(Benches.dead()))
                .contains(
                        "Failed requests 15 (100 %)",
                        "read timeout 12 (wait), first: no answer",
                        "→ no complete answer within",
                        "refused 3 (connect)",
                        "is the server up",
                        "404 × 7",
                        "No valid response",
                        "retransmitted SYN",
                        "not judged: there was no valid response, so there is no p99; fails if",
                        "FAILED: errors was 100 %; fails if errors>0.1%",
                        "VOID (nothing-measured)")
                .doesNotContain("\u001b");
    }

    /** Over TLS a connect goes on to the end of the handshake, which a busy server may need a second for. */
    @Test
    void aSlowHandshakeIsNoLostSyn() {
        BenchReport slow = Benches.dead();
        assertThat(said(slow)).contains("retransmitted SYN: it was lost");
        var tls = new Tls(Optional.empty(), true, false);
        var secure = new BenchReport(
                slow.target(),
                slow.load().withWire(slow.load().wire().with(tls)),
                slow.measurement(),
                slow.evidence(),
                slow.verdict(),
                slow.checks(),
                slow.started());
        assertThat(said(secure)).doesNotContain("retransmitted");
    }

    @Test
    void aScenarioHasItsStepsInATable() {
        assertThat(said(Benches.scenario()).lines().map(String::strip))
                .anyMatch(l -> l.matches("load page +1,000 +0 +5\\.\\d+ ms +.*"))
                .anyMatch(l -> l.matches("log in with an account and a password +0 +12 +– +– +–"));
    }

    @Test
    void nothingIsWiderThanTheTerminal() {
        for (int width : new int[] {72, 80, 100, 200}) {
            Benches.all()
                    .forEach((name, r) -> assertThat(new TextReport(width, false)
                                    .document(BenchDocument.of(r))
                                    .lines())
                            .as(name)
                            .allMatch(l -> Wording.length(l) <= width));
        }
    }

    @Test
    void colourOnlyAddsEscapes() {
        Benches.all()
                .forEach((name, r) -> assertThat(new TextReport(100, true)
                                .document(BenchDocument.of(r))
                                .replaceAll("\u001b\\[[0-9;]*m", ""))
                        .as(name)
                        .isEqualTo(text(r)));
    }

    @Test
    void aSparklineShowsTheLastFiguresFromZeroUp() {
        assertThat(Sparkline.of(java.util.List.of(99.0, 0.0, 5.0, 10.0, Double.NaN), 4))
                .isEqualTo("▁▅█▁");
        assertThat(Sparkline.of(java.util.List.of(0.0, 0.0), 9)).isEqualTo("▁▁");
        assertThat(Sparkline.of(java.util.List.of(), 9)).isEmpty();
    }
}
