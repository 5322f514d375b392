package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Finding;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of a server that Fettle did not start, less is known: what its pool is, and who else asks it. */
class GuestsTest {
    private static Target guest(ServerKind server, Setting inForce) {
        return new Target.Running(
                17,
                Optional.empty(),
                false,
                false,
                Optional.of(new Target.Found(1, Optional.of(server), inForce, Set.of())));
    }

    private static final Target TOMCAT = guest(ServerKind.TOMCAT, Setting.DEFAULT);

    /** A page that waits for 50 ms; the pool's own size can't be read, and Tomcat's default is 200. */
    private static Seen unread(int clients, double busy, int workers) {
        double rate = busy / 0.05;
        return new Seen()
                .of(TOMCAT)
                .clients(clients, rate, clients / rate)
                .cpu(0.2)
                .workers(busy, 0)
                .poolUnread(workers);
    }

    @Test
    void aPoolThatNobodyCouldReadIsWhatIsSeenIfAllOfItIsBusy() {
        Seen small = unread(64, 20, 20);
        Finding first = Diagnosis.of(small.trial()).findings().getFirst();
        assertThat(first.rule()).isEqualTo("workers-full");
        assertThat(first.sentence()).startsWith("All 20 worker threads are busy");
        assertThat(String.join(" ", Points.explain(small.trial()).orElseThrow().sentences()))
                .contains(
                        "The pool's size could not be read. The server's default is threads.max=200, but 20 worker threads"
                                + " were seen, all of them busy at once: that is taken for its size.");
    }

    /** Usable workers, by how many were seen, and how many of them busy. */
    @ParameterizedTest
    @CsvSource({
        "64, 20, 20, 20",
        "400, 150, 150, 150",
        "400, 300, 300, 300",
        // some idle, or no more are wanted: the pool may grow
        "64, 10, 20, 200",
        "20, 20, 20, 200",
        // about the default
        "400, 199, 199, 200"
    })
    void theDefaultIsTakenWhereNothingSpeaksAgainstIt(int clients, double busy, int seen, double usable) {
        assertThat(OperatingPoint.of(unread(clients, busy, seen).trial())
                        .orElseThrow()
                        .usable()
                        .optional())
                .hasValue(usable);
    }

    @Test
    void whatWasReadIsTheSize() {
        Target read = guest(ServerKind.TOMCAT, Setting.of("threads.max", "200"));
        assertThat(OperatingPoint.of(unread(64, 20, 20).of(read).trial())
                        .orElseThrow()
                        .usable()
                        .optional())
                .hasValue(200);
    }

    /** Acceptors and selectors of Jetty's pool, many on many CPUs, never run requests. */
    @Test
    void leasedThreadsOfADefaultPoolAreNotMissing() {
        Seen jetty = unread(400, 170, 170)
                .of(guest(ServerKind.JETTY, Setting.DEFAULT))
                .cpus(64);
        OperatingPoint c = OperatingPoint.of(jetty.trial()).orElseThrow();
        assertThat(c.leased()).isPositive();
        assertThat(c.usable().optional()).hasValue(200 - c.leased());
    }

    /** 900 requests a second of its own, of 20 ms each, beside our 400. */
    private static Seen shared(Target target) {
        return new Seen().of(target).clients(8, 400, 0.02).cpu(0.5).workers(26, 200);
    }

    @Test
    void whatARequestHoldsIsNotKnownOfAServerWithOtherWork() {
        Seen seen = shared(TOMCAT);
        OperatingPoint c = OperatingPoint.of(seen.trial()).orElseThrow();
        assertThat(c.otherWork()).isTrue();
        assertThat(c.holding().optional()).isEmpty();
        assertThat(c.cpuPerRequest().optional()).isEmpty();
        assertThat(c.threadCeiling().optional()).isEmpty();
        assertThat(c.cpuCeiling().optional()).isEmpty();
        assertThat(c.clientCeiling().optional()).isEmpty();
        Explanation x = Points.explain(seen.trial()).orElseThrow();
        assertThat(x.limit()).isNotEqualTo(Explanation.Limit.CLIENTS);
        assertThat(String.join(" ", x.sentences()))
                .contains(
                        "26 of 200 worker threads are busy on average; more workers are busy than this load has requests"
                                + " under way: the target does other work, too, so what a request holds and costs is not known.")
                .contains("The CPU is 50 % used, for all that it does.")
                .doesNotContain("a request holds its thread");
        assertThat(Laws.of(new TrialFacts(seen.trial()), Optional.empty()))
                .contains(
                        "The law of holding times is not used: more workers are busy than this load has requests under way:"
                                + " the target does other work, too.")
                .noneMatch(l -> l.contains("65.0 ms a request"));
        assertThat(Diagnosis.of(seen.trial()).notObserved())
                .filteredOn(l -> l.rule().equals("before-the-workers"))
                .hasSize(1);
    }

    @Test
    void aPoolThatIsFullWithOtherWorkIsFull() {
        Finding first =
                Diagnosis.of(shared(TOMCAT).workers(26, 26).trial()).findings().getFirst();
        assertThat(first.rule()).isEqualTo("workers-full");
        assertThat(first.sentence())
                .startsWith("All 26 worker threads are busy on average, but not with this load alone")
                .doesNotContain("each request holds", "in line");
        assertThat(first.evidence()).noneMatch(e -> e.contains("holds its worker"));
        assertThat(first.remedy()).doesNotContain("about");
    }

    @Test
    void otherWorkIsNotClaimedWhereSomethingElseExplainsBusyWorkers() {
        var own = new Target.Embedded(ServerKind.TOMCAT, "work", Map.of(), Optional.empty(), Target.Jvm.SAME);
        assertThat(otherWork(shared(own))).as("nobody else asks it").isFalse();
        assertThat(otherWork(shared(TOMCAT).workers(9, 200))).as("few looks").isFalse();
        assertThat(otherWork(shared(TOMCAT).errors(ErrorKind.READ_TIMEOUT, 40)))
                .as("workers may be busy with those whose clients gave up")
                .isFalse();
        assertThat(otherWork(shared(TOMCAT)
                        .clients(64, 4_800, 0.005)
                        .workers(64, 200)
                        .occupied(64)))
                .as("forty requests that never end")
                .isFalse();
        assertThat(otherWork(shared(TOMCAT).offered(400).clients(64, 400, 0.07)))
                .as("an open load, with 28 under way")
                .isFalse();
    }

    private static boolean otherWork(Seen seen) {
        return OperatingPoint.of(seen.trial()).orElseThrow().otherWork();
    }
}
