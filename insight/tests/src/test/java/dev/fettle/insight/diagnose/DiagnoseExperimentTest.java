package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Result;
import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Outcome;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiagnoseExperimentTest {
    private static Seen smallPool() {
        return new Seen().workers(4, 4);
    }

    private static DiagnoseConclusion tested(Seen before, Seen after) {
        return DiagnoseExperiment.conclude(before.trial(), Optional.of(after.trial(Phase.TEST, 2)));
    }

    private static Finding.Test test(DiagnoseConclusion c) {
        return c.bottleneck().orElseThrow().test().orElseThrow();
    }

    @Test
    void twiceThePoolConfirmsOrRefutesItOrDoesNotTell() {
        DiagnoseConclusion confirmed =
                tested(smallPool(), new Seen().clients(64, 1950, 0.033).workers(8, 8));
        assertThat(confirmed.bottleneck()).hasValueSatisfying(f -> {
            assertThat(f.rule()).isEqualTo("workers-full");
            assertThat(f.test().orElseThrow().outcome()).isEqualTo(Outcome.CONFIRMED);
            assertThat(f.sentence()).contains("the pool was the limit");
        });
        assertThat(confirmed.headline()).contains("confirmed");

        DiagnoseConclusion open =
                tested(smallPool(), new Seen().clients(64, 1150, 0.056).workers(8, 8));
        assertThat(test(open).outcome()).isEqualTo(Outcome.OPEN);

        DiagnoseConclusion refuted =
                tested(smallPool(), new Seen().clients(64, 1000, 0.064).workers(8, 8));
        assertThat(refuted.bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("behind-the-workers"));
        assertThat(refuted.others()).anySatisfy(f -> {
            assertThat(f.rule()).isEqualTo("workers-full");
            assertThat(f.test().orElseThrow().outcome()).isEqualTo(Outcome.REFUTED);
        });
    }

    /** Others can take what twice the threads would have given; what came in spite of them is the threads'. */
    @Test
    void aDisturbedTestConfirmsOnlyByMore() {
        DiagnoseConclusion taken = tested(
                smallPool(), new Seen().clients(64, 900, 0.07).workers(8, 8).reason("disturbed", true));
        assertThat(taken.bottleneck()).hasValueSatisfying(f -> {
            assertThat(f.rule()).isEqualTo("workers-full");
            assertThat(f.test().orElseThrow().outcome()).isEqualTo(Outcome.OPEN);
            assertThat(f.test().orElseThrow().sentence()).contains("other programs took CPU time");
        });
        DiagnoseConclusion more = tested(
                smallPool(), new Seen().clients(64, 1950, 0.033).workers(8, 8).reason("disturbed", true));
        assertThat(test(more).outcome()).isEqualTo(Outcome.CONFIRMED);
    }

    /** A trial that was still getting faster may give a third more than another one of the same setting. */
    @Test
    void whatWasStillGettingFasterConfirmsByMuchAndRefutesNothing() {
        DiagnoseConclusion some = tested(
                smallPool().reason("warm-up", false),
                new Seen().clients(64, 1300, 0.05).workers(8, 8));
        assertThat(test(some).outcome()).isEqualTo(Outcome.OPEN);
        DiagnoseConclusion much = tested(
                smallPool().reason("warm-up", false),
                new Seen().clients(64, 1950, 0.033).workers(8, 8));
        assertThat(test(much).outcome()).isEqualTo(Outcome.CONFIRMED);
        // full CPUs: twice the clients must give no more
        Seen full = new Seen().cpu(0.97).clients(64, 1000, 0.064);
        assertThat(test(tested(
                                full.reason("warm-up", false),
                                new Seen().cpu(0.97).clients(128, 1300, 0.1)))
                        .outcome())
                .isEqualTo(Outcome.OPEN);
        assertThat(test(tested(
                                full.reason("warm-up", false),
                                new Seen().cpu(0.97).clients(128, 1900, 0.07)))
                        .outcome())
                .as("nearly twice as much, but a JVM gains that in its first seconds, too")
                .isEqualTo(Outcome.OPEN);
        assertThat(test(tested(
                                smallPool().reason("warm-up", false),
                                new Seen().clients(64, 900, 0.07).workers(8, 8)))
                        .outcome())
                .isEqualTo(Outcome.OPEN);
    }

    private static Seen shaking() {
        return new Seen()
                .clients(32, 1000, 0.032)
                .cpu(0.97)
                .sighted("frame", "org.apache.tomcat.util.net.SecureNioChannel.tasks", 6, "runs; seen in 9 of 9 looks")
                .sighted("frame", "org.apache.coyote.http11.Http11Processor.service", 4, "runs; seen in 9 of 9 looks")
                .notKept();
    }

    /** Handshakes are tested by doing without: more clients would tell of full CPUs only. */
    @Test
    void handshakesAreTestedWithKeptConnections() {
        Finding found = DiagnoseExperiment.conclude(shaking().tls(10_000).trial(), Optional.empty())
                .bottleneck()
                .orElseThrow();
        assertThat(found.rule()).isEqualTo("tls-handshakes");
        var spec = RefutationTrial.of(found, shaking().tls(10_000).trial()).orElseThrow();
        assertThat(spec.load().keepAlive()).isTrue();
        assertThat(spec.load().connections()).isEqualTo(32);
        Seen kept = new Seen().clients(32, 4000, 0.008).cpu(0.97).tls(32);
        assertThat(test(tested(shaking().tls(10_000), kept))).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.CONFIRMED);
            assertThat(t.sentence()).contains("with kept connections: 4,000/s instead of 1,000/s");
        });
        assertThat(test(tested(
                        shaking().tls(10_000),
                        new Seen().clients(32, 1020, 0.03).cpu(0.97).tls(10_000))))
                .satisfies(t -> {
                    assertThat(t.outcome()).isEqualTo(Outcome.OPEN);
                    assertThat(t.sentence()).contains("closed its connections all the same");
                });
        assertThat(tested(
                                shaking().tls(10_000),
                                new Seen().clients(32, 1020, 0.03).cpu(0.97).tls(32))
                        .bottleneck()
                        .filter(f -> f.rule().equals("tls-handshakes")))
                .as("without handshakes it is no quicker")
                .isEmpty();
    }

    private static Finding.Test only(DiagnoseConclusion c, String rule) {
        return Stream.concat(c.bottleneck().stream(), c.others().stream())
                .filter(f -> f.rule().equals(rule))
                .findFirst()
                .flatMap(Finding::test)
                .orElseThrow();
    }

    private static Seen collecting(double share) {
        double mb = 1 << 20;
        return new Seen()
                .gc(share)
                .with("jvm.heap", "100m")
                .always("heap.live", 20 * mb)
                .always("heap.max", 100 * mb);
    }

    /** Without its collections a server that spends 12 % of the time on them gives 14 % more: throughput can't tell. */
    @Test
    void aLargerHeapIsJudgedByTheCollectorsShare() {
        assertThat(only(tested(collecting(0.12), collecting(0.05).clients(64, 1070, 0.06)), "allocation"))
                .satisfies(t -> {
                    assertThat(t.outcome()).isEqualTo(Outcome.CONFIRMED);
                    assertThat(t.sentence()).contains("garbage collection 5 % instead of 12 % of the time");
                });
        assertThat(only(tested(collecting(0.12), collecting(0.12)), "allocation")
                        .outcome())
                .isEqualTo(Outcome.REFUTED);
        assertThat(only(tested(collecting(0.12), collecting(0.105)), "allocation")
                        .outcome())
                .isEqualTo(Outcome.OPEN);
        assertThat(only(tested(collecting(0.12), new Seen().notLooked()), "allocation")
                        .outcome())
                .as("not observed")
                .isEqualTo(Outcome.OPEN);
    }

    @Test
    void aLongerQueueIsJudgedByWhatIsDropped() {
        Seen dropping = new Seen().with("backlog", "100").connects(1.02).dropped(50);
        assertThat(only(tested(dropping, new Seen().connects(0.02).dropped(0)), "accept-queue"))
                .satisfies(t -> {
                    assertThat(t.outcome()).isEqualTo(Outcome.CONFIRMED);
                    assertThat(t.sentence()).contains("0 connections dropped for 100 connects instead of 50 for 100");
                });
        assertThat(only(tested(dropping, new Seen().connects(1.02).dropped(50)), "accept-queue")
                        .outcome())
                .isEqualTo(Outcome.REFUTED);
        Seen crowd = new Seen()
                .with("backlog", "100")
                .clients(2000, 1000, 0.05)
                .connects(1.02)
                .dropped(50);
        assertThat(only(tested(crowd, crowd), "accept-queue"))
                .as("room for 100 of 2,000")
                .satisfies(t -> {
                    assertThat(t.outcome()).isEqualTo(Outcome.OPEN);
                    assertThat(t.sentence()).contains("room for few of the clients");
                });
    }

    /** What was counted was counted; the test tells whether it costs anything, if it took effect. */
    @Test
    void whatWasCountedIsJudgedByWhatItCosts() {
        Seen calls = new Seen().gc(0.3).always("gc.explicit", 2);
        assertThat(only(tested(calls, new Seen().clients(64, 1000, 0.03)), "explicit-gc")
                        .outcome())
                .as("p99")
                .isEqualTo(Outcome.CONFIRMED);
        assertThat(only(tested(calls, new Seen()), "explicit-gc")).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.REFUTED);
            assertThat(t.sentence()).contains("What was counted is so");
        });
        assertThat(only(tested(calls, calls), "explicit-gc").outcome()).isEqualTo(Outcome.OPEN);
        Seen closes = new Seen().reconnects(9_000);
        assertThat(only(tested(closes, closes), "keep-alive-off").sentence()).contains("all the same");
        assertThat(only(tested(closes, new Seen().clients(64, 1300, 0.05)), "keep-alive-off")
                        .outcome())
                .isEqualTo(Outcome.CONFIRMED);
    }

    @Test
    void aBackendIsJudgedByLatencyAndAServedRateTellsNothing() {
        // clients that pause for half a second hardly ask for more when answers come at once
        var slow = new TrialFacts(new Seen().clients(64, 114, 0.06).think(0.5).trial());
        var quick = new TrialFacts(new Seen().clients(64, 125, 0.01).think(0.5).trial());
        assertThat(RefutationTrial.refutation("backend-wait")
                        .figure()
                        .of(Expected.MORE, slow, quick, 1.2)
                        .better())
                .isTrue();
        var served = new TrialFacts(new Seen().offered(1000).trial());
        assertThat(RefutationTrial.refutation("workers-full")
                        .figure()
                        .of(Expected.MORE, served, served, 1.2)
                        .cannotTell())
                .isPresent();
    }

    @Test
    void streamsAreClients() {
        TrialOutcome t = new Seen().cpu(0.97).trial();
        var wire = new Wire(Protocol.HTTP_2, 20, Optional.empty(), TransportKind.AUTO, List.of());
        var spec = new TrialSpec(
                Phase.DIAGNOSE,
                "",
                Map.of(),
                0,
                t.spec().target(),
                t.spec().setting(),
                t.spec().load().withWire(wire));
        var streams = t.with().ordinal(1).spec(spec).build();
        assertThat(RefutationTrial.change(Diagnosis.of(t).findings().getFirst(), streams))
                .isEqualTo("with 2560 clients instead of 1280");
    }

    @Test
    void theTestChangesOneThingAndIsAskedForOnce() {
        TrialOutcome baseline = smallPool().trial();
        Plan plan = Simulated.server(4, 0.05, 0.0002, 1, 64).plan(4, 1024);
        var experiment = new DiagnoseExperiment(plan);
        Step first = experiment.next(List.of());
        assertThat(first).isInstanceOfSatisfying(Step.Run.class, r -> {
            assertThat(r.spec().phase()).isEqualTo(Phase.DIAGNOSE);
            assertThat(r.spec().load().measure()).isGreaterThanOrEqualTo(DiagnoseExperiment.LEAST);
        });
        TrialSpec test = RefutationTrial.of(Diagnosis.of(baseline).findings().getFirst(), baseline)
                .orElseThrow();
        assertThat(test.setting().get("threads.max")).contains("8");
        assertThat(test.load().connections()).isEqualTo(baseline.spec().load().connections());
        assertThat(test.target()).isEqualTo(baseline.spec().target());
    }

    @Test
    void fromADisturbedTrialOnlyThatIsToldWhichOthersCannotCause() {
        DiagnoseConclusion c = DiagnoseExperiment.conclude(
                new Seen()
                        .always("wait.lock", 30)
                        .cpu(0.95)
                        .reason("disturbed", true)
                        .trial(),
                Optional.empty());
        assertThat(c.bottleneck()).hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("lock"));
        assertThat(c.healthy()).isEmpty();
        assertThat(c.notes()).anyMatch(n -> n.contains("Other processes took CPU time"));
        DiagnoseConclusion none = DiagnoseExperiment.conclude(
                new Seen().workers(62, 200).reason("disturbed", true).trial(), Optional.empty());
        assertThat(none.result()).isEqualTo(Result.NOT_VALID);
        DiagnoseConclusion clients = DiagnoseExperiment.conclude(
                new Seen().always("wait.client", 30).reason("disturbed", true).trial(), Optional.empty());
        assertThat(clients.result())
                .as("the clients are the generator, whose CPU time they take")
                .isEqualTo(Result.NOT_VALID);
        // its own CPU time is its own
        DiagnoseConclusion own = DiagnoseExperiment.conclude(
                new Seen().cpu(0.95).reason("disturbed", true).trial(), Optional.empty());
        assertThat(own.bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("cpu-full"));
    }

    @Test
    void aSocketThatHoldsAWriteBackIsNobodyElsesDoing() {
        DiagnoseConclusion held = DiagnoseExperiment.conclude(
                new Seen()
                        .workers(63, 200)
                        .always("sockets.held", 55)
                        .reason("disturbed", true)
                        .trial(),
                Optional.empty());
        assertThat(held.bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("delayed-ack"));
    }

    @Test
    void aTargetThatHangsWhileOthersHaveTheCpusIsNotSaidToHang() {
        DiagnoseConclusion starved = DiagnoseExperiment.conclude(
                new Seen()
                        .failed(TrialOutcome.Kind.HUNG, new Sighting(Sighting.FOREIGN, "other processes", 0.9))
                        .trial(),
                Optional.empty());
        assertThat(starved.result()).isEqualTo(Result.NOT_VALID);
        assertThat(starved.headline()).contains("other processes used 90 %");
        DiagnoseConclusion alone = DiagnoseExperiment.conclude(
                new Seen()
                        .failed(TrialOutcome.Kind.HUNG, new Sighting(Sighting.FOREIGN, "other processes", 0.1))
                        .trial(),
                Optional.empty());
        assertThat(alone.bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("hung"));
        DiagnoseConclusion stuck = DiagnoseExperiment.conclude(
                new Seen()
                        .failed(
                                TrialOutcome.Kind.HUNG,
                                new Sighting(Sighting.FOREIGN, "other processes", 0.9),
                                new Sighting("dump.deadlock", "no answers", 2, "a waits for b, b waits for a"))
                        .trial(),
                Optional.empty());
        assertThat(stuck.bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("deadlock"));
    }

    @Test
    void nothingIsConcludedWhereTheGeneratorWasFull() {
        DiagnoseConclusion c =
                DiagnoseExperiment.conclude(smallPool().reason("send-lag", true).trial(), Optional.empty());
        assertThat(c.result()).isEqualTo(Result.NOT_VALID);
        assertThat(c.bottleneck()).isEmpty();
        assertThat(c.others()).isEmpty();
        assertThat(c.headline()).contains("because of send-lag");
    }

    @Test
    void aTargetThatDidNotWarmUpIsDiagnosedAllTheSame() {
        DiagnoseConclusion c =
                DiagnoseExperiment.conclude(smallPool().reason("warm-up", true).trial(), Optional.empty());
        assertThat(c.bottleneck()).hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("workers-full"));
        assertThat(c.notes()).anyMatch(n -> n.contains("because of warm-up"));
    }

    @Test
    void aServerWithNothingFullSaysSo() {
        DiagnoseConclusion c = DiagnoseExperiment.conclude(new Seen().trial(), Optional.empty());
        assertThat(c.result()).isEqualTo(Result.NOTHING_FOUND);
        assertThat(c.headline()).contains("not observed");
    }

    @Test
    void aConclusionIsJournalled() throws Exception {
        Conclusion c = tested(smallPool(), new Seen().clients(64, 1950, 0.033).workers(8, 8));
        assertThat(Json.mapper().readValue(Json.mapper().writeValueAsString(c), Conclusion.class))
                .isEqualTo(c);
    }
}
