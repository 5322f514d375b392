package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.DiagnoseConclusion.Result;
import dev.fettle.insight.Finding;
import dev.fettle.insight.waits.Dumps;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server under traffic that is not Fettle's: what its clients get is not known, and how much it could take was not asked. */
class ObservedTest {
    private static final Target GUEST = new Target.Running(17, Optional.empty(), false, false, Optional.empty());

    /** What only a load of one's own shows. */
    private static final List<String> OF_CLIENTS = List.of(
            "hung",
            "refused",
            "connect-timeouts",
            "read-timeouts",
            "connections-cut-off",
            "server-errors",
            "unexpected-status",
            "tls-failures",
            "wrong-answers",
            "think-time",
            "clients",
            "rate",
            "before-the-workers",
            "slow-lookup",
            "calls-time-out",
            "connects-sent-again",
            "periodic-job",
            "ports-used-up",
            "keep-alive-off",
            "large-answers",
            "tls-handshakes");

    private static final Dumps STUCK =
            Dumps.of().reads(40, "shop.Partner.ask:30", "shop.Api.show:5").idle(0);

    private static Seen seen(double busy, int of, double cpu) {
        return new Seen()
                .of(GUEST)
                .cpus(2)
                .cpu(cpu)
                .always("workers.busy", busy)
                .always("workers.total", of);
    }

    private static DiagnoseConclusion observed(Seen s) {
        DiagnoseConclusion c = loaded(s);
        assertThat(c.laws()).isEmpty();
        assertThat(c.notes()).anyMatch(n -> n.contains("No load was sent"));
        assertThat(c.healthy()).extracting(Looked::rule).doesNotContainAnyElementsOf(OF_CLIENTS);
        return c;
    }

    private static DiagnoseConclusion loaded(Seen s) {
        TrialOutcome t = s.trial();
        return DiagnoseExperiment.observed(GUEST, t.spec().load(), t.evidence().orElseThrow(), t.started(), t.took());
    }

    private static List<String> rules(DiagnoseConclusion c) {
        return c.bottleneck().stream().map(Finding::rule).toList();
    }

    /** A quiet server has no limit to name. */
    @Test
    void aQuietServerHasNoLimit() {
        DiagnoseConclusion c = observed(seen(3, 200, 0.08).always("workers.queued", 0));
        assertThat(c.result()).isEqualTo(Result.NOTHING_FOUND);
        assertThat(c.headline()).contains("3 of 200 workers busy").contains("4 %");
        assertThat(c.healthy()).extracting(Looked::rule).contains("workers-full", "cpu-full");
    }

    /**
     * A full pool is a limit only if requests wait for it and CPU is left.
     *
     * @param queue of the listening socket
     */
    @ParameterizedTest
    @CsvSource({
        "200, 35, 0, 0.5, workers-full",
        "200,  0, 8, 0.5, workers-full",
        "199,  0, 0, 0.5, ''",
        "120, 90, 0, 0.5, ''",
        "200, 35, 0, 2.0, cpu-full",
        "  3,  0, 0, 2.0, cpu-full"
    })
    void whatIsFull(double busy, double queued, double queue, double cpu, String rule) {
        DiagnoseConclusion c =
                observed(seen(busy, 200, cpu).always("workers.queued", queued).always("accept.queue", queue));
        assertThat(rules(c)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    @Test
    void whetherRequestsWaitForAFullPoolMayBeUnknown() {
        DiagnoseConclusion c = observed(seen(200, 200, 0.5));
        assertThat(c.result()).isEqualTo(Result.NOTHING_FOUND);
        assertThat(c.notObserved())
                .filteredOn(l -> l.rule().equals("workers-full"))
                .singleElement()
                .satisfies(l -> assertThat(l.words()).contains("200 of 200"));
        assertThat(c.healthy()).extracting(Looked::rule).doesNotContain("workers-full");
    }

    /** What is seen inside needs no load. */
    @Test
    void workersAtALock() {
        DiagnoseConclusion c =
                observed(seen(40, 40, 0.1).always("wait.lock", 39).always("wait.running", 1));
        assertThat(rules(c)).containsExactly("lock");
        assertThat(c.headline()).contains("no load was sent");
        assertThat(c.bottleneck().orElseThrow().test()).isEmpty();
    }

    /** Requests of others that take long, and where: 100 a second for ten seconds. */
    @ParameterizedTest
    @CsvSource({
        // slow, under way, behind, written, rule, title
        " 4, 20, -1, -1, '',            ''",
        " 6, 30, -1, -1, slow-requests, 'Requests take long'",
        " 6, 30, 29, -1, slow-requests, 'The server behind is slow'",
        " 6, 30,  3, -1, slow-requests, 'What is in front'",
        " 6, 30, 15, -1, slow-requests, 'Requests take long'",
        " 6, 30, -1, 29, slow-requests, 'Answers take long to be written'"
    })
    void slowRequests(double slow, double underWay, double behind, double written, String rule, String title) {
        String at = behind < 0 ? "requests." : "front.";
        Seen s = seen(3, 200, 0.08)
                .always("workers.queued", 0)
                .always(at + "rate", 100)
                .always(at + "slow", slow)
                .always(at + "underWay", underWay);
        if (behind >= 0) {
            s = s.always("front.behind", behind);
        }
        if (written >= 0) {
            s = s.always("requests.writing", written);
        }
        DiagnoseConclusion c = loaded(s);
        assertThat(rules(c)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
        assertThat(c.headline()).contains(title);
    }

    /** What makes them slow is the finding, if it is known. */
    @Test
    void slowRequestsAreASymptom() {
        DiagnoseConclusion c = loaded(seen(40, 40, 0.1)
                .always("wait.lock", 39)
                .always("wait.running", 1)
                .always("requests.rate", 10)
                .always("requests.slow", 9)
                .always("requests.underWay", 40));
        assertThat(rules(c)).containsExactly("lock");
        assertThat(c.bottleneck().orElseThrow().symptoms()).anyMatch(x -> x.contains("or longer"));
        assertThat(c.bottleneck().orElseThrow().evidence()).anyMatch(x -> x.contains("4.00 s"));
    }

    /** Of few requests one is a large part; those that the client got wrong are no fault of the server. */
    @ParameterizedTest
    @CsvSource({"100, 0.5, 0, ''", "100, 2, 0, server-errors", "2, 0.5, 0, ''", "100, 0, 50, ''"})
    void failedRequests(double rate, double failed, double errors, String rule) {
        DiagnoseConclusion c = loaded(seen(3, 200, 0.08)
                .always("workers.queued", 0)
                .always("requests.rate", rate)
                .always("requests.failed", failed)
                .always("requests.errors", errors));
        assertThat(rules(c)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    /** The server's own figures are in the answer of a quiet one. */
    @Test
    void aQuietServerSaysHowQuiet() {
        DiagnoseConclusion c = observed(seen(3, 200, 0.08)
                .always("workers.queued", 0)
                .always("requests.rate", 12)
                .always("requests.underWay", 0.12));
        assertThat(c.headline()).contains("12.0 requests/s of 10.0 ms", "3 of 200 workers busy");
    }

    @ParameterizedTest
    @CsvSource({
        "NATIVE, native library",
        "MEMORY, no more memory",
        "JVM, ended itself",
        "HEAP, heap ran full",
        "FILE, file"
    })
    void aReportOfItsEnd(String cause, String title) {
        Seen s = new Seen().of(GUEST).sighted(Sighting.CRASH, "CAUSE", 1, cause);
        for (String fact : List.of("ASKED", "LIMIT", "USED", "FREE", "THREADS", "SECONDS")) {
            s = s.sighted(Sighting.CRASH, fact, 1, "4096");
        }
        for (String fact : List.of("WHAT", "FRAME", "JAVA", "THREAD", "COMPILING")) {
            s = s.sighted(Sighting.CRASH, fact, 1, "[" + fact + "] {x}");
        }
        DiagnoseConclusion c = loaded(s);
        assertThat(rules(c)).containsExactly("jvm-crashed");
        assertThat(c.headline()).contains(title);
    }

    /** A report may be cut off after its first lines. */
    @ParameterizedTest
    @ValueSource(strings = {"NATIVE", "JVM", "COMPILER", "MEMORY", "THREAD", "HEAP", "FILE", "STACK"})
    void aReportThatIsCutOff(String cause) {
        assertThat(rules(loaded(new Seen()
                        .of(GUEST)
                        .sighted(Sighting.CRASH, "CAUSE", 1, cause)
                        .sighted(Sighting.CRASH, "COMPILING", 1, "a.B::c"))))
                .containsExactly("jvm-crashed");
    }

    /** Of sockets that somebody printed: a queue that is full, or long where its limit is not known. */
    @ParameterizedTest
    @CsvSource({"101, 100, accept-queue", "99, 100, ''", "60, 0, accept-queue", "40, 0, ''"})
    void printedListeners(double waiting, double limit, String rule) {
        Seen s = new Seen().of(GUEST).always("accept.queue", waiting).sighted(Sighting.LISTENER, "*:8080", waiting, "");
        Timeline t = (limit > 0 ? s.always("accept.limit", limit) : s)
                .trial()
                .evidence()
                .orElseThrow()
                .timeline();
        assertThat(ofPrinted(t, (int) limit)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    private static List<String> ofPrinted(Timeline t, int limit) {
        Evidence e = new Evidence(
                0,
                Evidence.Cpus.UNKNOWN,
                Aggregates.NOTHING,
                dev.fettle.model.text.OptionalFigure.empty(),
                dev.fettle.model.text.OptionalFigure.empty(),
                limit > 0 ? java.util.OptionalInt.of(limit) : java.util.OptionalInt.empty(),
                0,
                java.util.Map.of(),
                java.util.Map.of(),
                List.of(),
                t,
                List.of(),
                Conditions.ALONE);
        TrialOutcome any = new Seen().trial();
        return rules(DiagnoseExperiment.observed(
                new Target.Url(URI.create("http://127.0.0.1/")), any.spec().load(), e, any.started(), any.took()));
    }

    /** Where no request's time is known, a pause is long only if it is longer than collectors aim at. */
    @ParameterizedTest
    @CsvSource({"90, ''", "390, ''", "450, long-pauses"})
    void pauses(double millis, String rule) {
        DiagnoseConclusion c =
                observed(seen(3, 200, 0.08).always("workers.queued", 0).over("gc.pauseMax", 5, millis, 5));
        assertThat(rules(c)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    /** That a process goes on is known while it is observed, and not from a file. */
    @Test
    void aRecordingEnds() {
        TrialOutcome t = seen(3, 200, 0.08).trial();
        var url = new Target.Url(URI.create("http://127.0.0.1/"));
        DiagnoseConclusion c =
                DiagnoseExperiment.observed(url, t.spec().load(), t.evidence().orElseThrow(), t.started(), t.took());
        assertThat(c.notObserved()).extracting(Looked::rule).contains("died");
        assertThat(observed(seen(3, 200, 0.08)).healthy())
                .extracting(Looked::rule)
                .contains("died");
    }

    /** Calls from which threads do not come back: if no worker is left, they are why; else it may be long polling. */
    @ParameterizedTest
    @CsvSource({"40, 40, calls-that-hang", "30, 40, ''"})
    void callsThatHang(double busy, int of, String rule) {
        DiagnoseConclusion c =
                observed(seen(busy, of, 0.05).always("workers.queued", 5).threads(STUCK.seen()));
        assertThat(rules(c)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    /** One dump of a hang shows a moment; three that are the same show that it lasts. */
    @ParameterizedTest
    @CsvSource({"1, ''", "2, ''", "3, calls-that-hang"})
    void dumpsOfAHang(int dumps, String rule) {
        assertThat(ofFile(STUCK.seen(dumps))).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    /** Of a file in which no thread is seen at work it is not known that none waits; of a process that is idle it is. */
    @Test
    void withoutThreadsAtWorkAFileSaysNothingOfThem() {
        TrialOutcome t = seen(0, 200, 0.01).threads(Dumps.of().idle(4).seen()).trial();
        var url = new Target.Url(URI.create("http://127.0.0.1/"));
        DiagnoseConclusion file =
                DiagnoseExperiment.observed(url, t.spec().load(), t.evidence().orElseThrow(), t.started(), t.took());
        List<String> chains = List.of("waits-in-a-ring", "few-threads", "client-pool", "calls-that-hang");
        assertThat(file.notObserved()).extracting(Looked::rule).containsAll(chains);
        assertThat(observed(seen(0, 200, 0.01).threads(Dumps.of().idle(4).seen()))
                        .healthy())
                .extracting(Looked::rule)
                .containsAll(chains);
        TrialOutcome busy = seen(1, 200, 0.01)
                .threads(Dumps.of().runs(1, "shop.Cart.total:10").seen())
                .trial();
        assertThat(DiagnoseExperiment.observed(
                                url, busy.spec().load(), busy.evidence().orElseThrow(), busy.started(), busy.took())
                        .healthy())
                .extracting(Looked::rule)
                .containsAll(chains);
    }

    /**
     * Of moments that lack threads, as those of a recording do, it is said what threads wait for and who was seen to hold it; not that nobody
     * has it, and not that a call does not come back, since what is recorded has ended.
     */
    @Test
    void thatNobodyDoesSomethingIsNotSaidOfARecording() {
        Dumps pool = Dumps.of()
                .parks(
                        40,
                        "com.zaxxer.hikari.util.ConcurrentBag.borrow:151",
                        "com.zaxxer.hikari.pool.HikariPool.getConnection:162",
                        "shop.Db.load:20");
        Dumps lock = Dumps.of()
                .sleeps(1, "shop.Cart.total:10", "shop.Api.show:5")
                .blocked(39, "shop.Cart@1", 0, "shop.Cart.total:10", "shop.Api.show:5");
        assertThat(ofFile(pool.seen())).contains("connections-not-returned");
        assertThat(ofFile(pool.seen().inPart())).doesNotContain("connections-not-returned");
        assertThat(ofFile(STUCK.seen())).contains("calls-that-hang");
        assertThat(ofFile(STUCK.seen().inPart())).doesNotContain("calls-that-hang");
        assertThat(ofFile(lock.seen())).contains("lock");
        assertThat(ofFile(lock.seen().inPart())).contains("lock");
    }

    /** The rules that find something in threads alone. */
    private static List<String> ofFile(ThreadsSeen threads) {
        TrialOutcome t = new Seen().threads(threads).trial();
        Evidence e = t.evidence().orElseThrow();
        Timeline only = new Timeline(
                Timeline.VERSION,
                0,
                0,
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                e.timeline().threads());
        DiagnoseConclusion c = DiagnoseExperiment.observed(
                new Target.Url(URI.create("http://127.0.0.1/")),
                t.spec().load(),
                e.with()
                        .aggregates(Aggregates.NOTHING)
                        .serverCpus(0)
                        .timeline(only)
                        .build(),
                t.started(),
                t.took());
        return rules(c);
    }

    /** Of two histograms a class counts that grew by 20 % of itself, 5 % of all and 4 MiB, if all classes together grew, too. */
    @ParameterizedTest
    @CsvSource({
        "20e6, 10e6, 200e6, 15e6, classes-grow",
        "20e6, 10e6, 200e6, -1, ''",
        "20e6, 3e6, 30e6, 15e6, ''",
        "100e6, 12e6, 200e6, 15e6, ''",
        "20e6, 10e6, 250e6, 15e6, ''"
    })
    void aClassThatGrows(double held, double grew, double all, double allGrew, String rule) {
        Seen s = seen(3, 200, 0.08)
                .sighted(Sighting.HISTOGRAM, Sighting.HISTOGRAM_ALL, all, "")
                .sighted(Sighting.HISTOGRAM, "byte[]", held, "200 objects")
                .sighted(Sighting.HISTOGRAM_GREW, Sighting.HISTOGRAM_ALL, allGrew, "")
                .sighted(Sighting.HISTOGRAM_GREW, "byte[]", grew, "100 200")
                .sighted(Sighting.HISTOGRAM_GREW, "shop.Session", 1600, "0 90")
                .sighted(Sighting.HISTOGRAM_SECONDS, Sighting.HISTOGRAM_ALL, 120, "");
        DiagnoseConclusion c = observed(s);
        assertThat(rules(c)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
        if (!rule.isEmpty()) {
            assertThat(c.bottleneck().orElseThrow().sentence()).contains("shop.Session", "4.77 MiB a minute");
        }
    }

    /** One histogram has no growth, and none has not even what is there. */
    @Test
    void oneHistogramSaysNothingOfGrowth() {
        Seen one = seen(3, 200, 0.08)
                .sighted(Sighting.HISTOGRAM, Sighting.HISTOGRAM_ALL, 100e6, "")
                .sighted(Sighting.HISTOGRAM, "byte[]", 60e6, "200 objects");
        assertThat(observed(one).notObserved())
                .filteredOn(l -> l.rule().equals("classes-grow"))
                .singleElement()
                .satisfies(l -> assertThat(l.words()).contains("byte[] 60 %"));
        assertThat(observed(seen(3, 200, 0.08)).notObserved())
                .extracting(Looked::rule)
                .contains("classes-grow");
    }

    /** A load without a cookie says something of sessions; traffic of others does not. */
    @Test
    void nothingIsSaidOfALoadThatWasNotSent() {
        DiagnoseConclusion c =
                observed(seen(3, 200, 0.08).over("sessions.active", 0, 100, 200, 300, 400, 500, 600, 700, 800, 900));
        assertThat(c.toString()).doesNotContain("This load");
    }
}
