package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.capacity.CapacityExperiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a server that can answer 100 requests a second and no more: two threads, 20 ms each. */
@Timeout(300)
@Order(3)
class CapacityLabTest {
    private static final double MOST = 100;

    @TempDir
    Path folder;

    private final List<Judged> told = new ArrayList<>();
    private final AtomicBoolean silent = new AtomicBoolean();
    /** After this many probes the server answers nothing any more. */
    private int fallsSilentAfter = Integer.MAX_VALUE;

    private HttpServer server;
    private ThreadPoolExecutor workers;

    @BeforeEach
    void serve() throws Exception {
        serve(2, 20);
    }

    private void serve(int threads, int millis) throws Exception {
        workers = new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        server.setExecutor(workers);
        server.createContext("/", x -> {
            try {
                Thread.sleep(silent.get() ? 600_000 : millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            x.sendResponseHeaders(200, 2);
            x.getResponseBody().write(new byte[] {'o', 'k'});
            x.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        workers.shutdownNow();
    }

    private boolean isIdle() {
        return workers.getActiveCount() == 0 && workers.getQueue().isEmpty();
    }

    private static CapacityOptions options(boolean search, Optional<CapacityOptions.Spike> spike) {
        return options("p99<1s,errors<1%", Duration.ofSeconds(1), search, spike);
    }

    private static CapacityOptions options(
            String slo, Duration probe, boolean search, Optional<CapacityOptions.Spike> spike) {
        return options(slo, probe, Duration.ofSeconds(6), search, spike);
    }

    private static CapacityOptions options(
            String slo, Duration probe, Duration budget, boolean search, Optional<CapacityOptions.Spike> spike) {
        return new CapacityOptions(
                Slo.parse(slo), OptionalDouble.of(400), probe, 0.4, 1, budget, true, 42, search, spike, 1);
    }

    private CapacityConclusion run(CapacityOptions options) throws Exception {
        Plan plan = plan(options);
        try (Journal journal = Journal.open(folder.resolve("journal.db"))) {
            return run(plan, journal, begin(journal, plan), Integer.MAX_VALUE);
        }
    }

    private Plan plan(CapacityOptions options) {
        var load = new Load(
                200,
                true,
                Load.Request.get("/"),
                Load.Expect.OK,
                Duration.ofSeconds(5),
                Duration.ofSeconds(2), // in which one answer must come
                Duration.ofSeconds(1),
                1,
                Arrivals.Closed.BACK_TO_BACK,
                Wire.PLAIN,
                Optional.empty());
        var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return Plan.of("c", new Target.Url(url), load)
                .withCapacity(Optional.of(new CapacityAsked(url.toString(), options, OptionalDouble.empty(), true)));
    }

    private static String begin(Journal journal, Plan plan) throws LabException {
        return journal.begin("capacity", Path.of(""), "", plan, Map.of(), Instant.EPOCH)
                .id();
    }

    /** @param most probes after which the run is cut off */
    private CapacityConclusion run(Plan plan, Journal journal, String runId, int most) throws Exception {
        var listener = new LabListener() {
            @Override
            public void trialEnded(TrialOutcome outcome) {
                told.addAll(Judged.of(List.of(outcome)));
                silent.compareAndSet(false, told.size() >= fallsSilentAfter);
                if (told.size() == most) {
                    throw new CutOff();
                }
            }
        };
        try (var runner = Fixtures.runner(
                Fixtures.environment(folder), Files.createDirectories(folder.resolve("run")), listener)) {
            return (CapacityConclusion) new Lab(runner, journal, listener).run(runId, new CapacityExperiment(plan));
        }
    }

    /** Stands for a kill: what comes after it does not happen. */
    private static final class CutOff extends RuntimeException {}

    /** Its process is there, and so is its port: without a look it would be a server whose limit lies below all rates. */
    @Test
    void aServerThatFallsSilentHasNoCapacity() {
        fallsSilentAfter = 1;
        assertThatThrownBy(() -> run(options(true, Optional.empty())))
                .hasMessageContaining("no valid answer to a single client for");
    }

    @Test
    void aSearchThatWasCutOffGoesOnAfterTheProbesOfTheJournal() throws Exception {
        // time for two probes at least, however long the rests between them are
        CapacityOptions options =
                options("p99<30ms,errors<1%", Duration.ofSeconds(1), Duration.ofSeconds(30), true, Optional.empty());
        Plan plan = plan(options);
        try (Journal journal = Journal.open(folder.resolve("journal.db"))) {
            String id = begin(journal, plan);
            assertThatThrownBy(() -> run(plan, journal, id, 2)).isInstanceOf(CutOff.class);
            assertThat(Judged.of(journal.trials(id))).isEqualTo(told);
            assertThat(journal.conclusion(id)).isEmpty();
            assertThat(journal.find(id).orElseThrow().state()).isEqualTo(RunRecord.State.OPEN);
            while (!isIdle()) { // else the next warm-up may have nothing but what the cut off probe has left
                Thread.sleep(20);
            }

            CapacityConclusion found = run(plan, journal, id, Integer.MAX_VALUE);
            assertThat(told).hasSizeGreaterThanOrEqualTo(2);
            assertThat(Judged.of(journal.trials(id))).isEqualTo(told);
            assertThat(found.notes().stream().filter(n -> n.contains("resumed after 2 probes")))
                    .hasSize(told.size() > 2 ? 1 : 0);
            assertThat(journal.conclusion(id)).contains(found);
            assertThat(journal.find(id).orElseThrow().state()).isEqualTo(RunRecord.State.DONE);
        }
    }

    @Test
    void theCapacityOfAServerOfTenThreadsThatSleepForATenthOfASecondIsItsLimit() throws Exception {
        stop();
        serve(10, 100);
        var options = new CapacityOptions(
                Slo.parse("p99<400ms,errors<1%"),
                OptionalDouble.of(50),
                Duration.ofSeconds(2),
                0.2,
                1,
                Duration.ofSeconds(30),
                false, // even arrivals meet the limit itself
                42,
                true,
                Optional.empty(),
                1);
        CapacityResult result = run(options).result().orElseThrow();
        // no thread answers more often than ten times a second: 10 % above that the queue of 3 s makes p99 400 ms
        assertThat(result.rate()).as(told.toString()).isLessThan(1.15 * MOST);
        // how near it comes from below is left to the machine: one that keeps stalling has no answer
        if (told.stream().allMatch(CapacityLabTest::counts)) {
            assertThat(result.rate()).as(told.toString()).isGreaterThan(0.5 * MOST);
        }
    }

    @Test
    void aRateBeyondWhatTheServerCanDoIsNeverTheAnswer() throws Exception {
        CapacityConclusion findings = run(options(true, Optional.empty()));
        CapacityResult result = findings.result().orElseThrow();
        assertThat(findings.overload()).isEmpty();
        assertThat(findings.idleMillis().orElseThrow()).isGreaterThanOrEqualTo(20);
        // the first rate is four times what the server can do, so after a second a second's work is left
        assertThat(told.getFirst().verdict().result()).isNotEqualTo(ProbeVerdict.Result.MET);
        assertThat(result.rate()).isLessThan(3 * MOST);
        assertThat(told).allSatisfy(j -> assertThat(j.probe().throughput()).isLessThan(2 * MOST));
    }

    @Test
    void aProbeThatCannotMeetItAnyMoreIsEndedEarlyAndIsBrokenForWhatWasSeen() throws Exception {
        // four times what the server can do: after half a second most answers are far later than 30 ms
        run(options("p99<30ms,errors<1%", Duration.ofSeconds(20), true, Optional.empty()));
        Judged first = told.getFirst();
        assertThat(first.probe().seconds()).isLessThan(15);
        assertThat(first.probe().lost()).isZero();
        assertThat(first.verdict().result()).isNotEqualTo(ProbeVerdict.Result.MET);
        String said = first.verdict().broken().toString();
        switch (first.verdict().result()) {
            case BROKEN -> assertThat(said).contains("p99 was");
            // one in which the generator was late, as it is when the machine stalls, says that
            case VOID -> assertThat(said).contains("late at p99");
            // it may have been late as well, or only others have had the CPUs
            case DISTURBED -> assertThat(said).containsAnyOf("p99 was", "late at p99");
            case MET -> throw new AssertionError(said);
        }
    }

    private static boolean counts(Judged probe) {
        return probe.verdict().result() != ProbeVerdict.Result.VOID
                && probe.verdict().result() != ProbeVerdict.Result.DISTURBED;
    }

    @Test
    void aSpikeIsOfferedBetweenTwoStretchesOfTheBaseLoad() throws Exception {
        var spike = new CapacityOptions.Spike(
                2, OptionalDouble.of(MOST), 0.3, Duration.ofSeconds(1), Duration.ofSeconds(15));
        var o = run(options(false, Optional.of(spike))).overload().orElseThrow();
        assertThat(o.base()).isEqualTo(30);
        assertThat(o.spike()).isEqualTo(200);
        // a hundred requests more than it can answer in a second, unless the machine held the generator up for most of
        // it
        if (o.during().seconds() > 0.5) {
            assertThat(o.during().latency().max())
                    .isGreaterThan(o.before().latency().p50());
        }
        assertThat(o.slices()).hasSizeGreaterThan(12);
        assertThat(o.after().at()).isGreaterThanOrEqualTo(5.9);
        assertThat(o.headline()).contains("Offered 200/s");
    }

    @Test
    void aTargetThatGivesNoRightAnswerIsNotSearched() {
        server.stop(0);
        assertThatThrownBy(() -> run(options(true, Optional.empty())))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no valid answer in the warm-up");
    }
}
