package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.model.trial.ErrorKind;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What sentences claim is what was looked at. */
class ClaimsTest {
    private static Finding first(Seen seen) {
        return Diagnosis.of(seen.trial()).findings().getFirst();
    }

    /** The sentence about a pause of 300 ms in the third second, with p99 at 310 ms in one half second and at 25 ms in the rest. */
    private static String pause(int slow) {
        double[] pauses = new double[20];
        Arrays.fill(pauses, Double.NaN);
        pauses[6] = 300;
        double[] p99 = new double[20];
        Arrays.fill(p99, 25);
        p99[slow] = 310;
        return Diagnosis.of(new Seen()
                        .over("gc.pauseMax", pauses)
                        .p99(p99)
                        .slowest(0.35)
                        .trial())
                .findings()
                .stream()
                .filter(f -> f.rule().equals("long-pauses"))
                .findFirst()
                .orElseThrow()
                .sentence();
    }

    /** A pause and a tail of one length need not be of one time. */
    @Test
    void aPauseIsSaidToHoldRequestsUpOnlyWhereTheyWereSlowThen() {
        assertThat(pause(5)).contains("about when it was seen p99 was 310 ms");
        assertThat(pause(12))
                .doesNotContain("about when")
                .contains("consistent with the slowest requests being those that were under way");
    }

    @Test
    void withoutACollectionThereIsNothingAfterOne() {
        assertThat(Diagnosis.of(new Seen().always("gc.count", 0).trial()).notObserved())
                .filteredOn(l -> l.rule().equals("live-heap-grows") || l.rule().equals("long-pauses"))
                .extracting(Looked::words)
                .containsExactlyInAnyOrder(
                        "heap.afterGc: there was no collection in that time",
                        "gc.pauseMax: there was no collection in that time");
    }

    @Test
    void whatFailedOnTheGeneratorsSideIsNotGuessed() {
        assertThat(first(new Seen().errors(ErrorKind.OTHER, 50)).sentence())
                .isEqualTo("50 of 10,050 attempts failed on the generator's side.");
    }

    @Test
    void anUnexpectedStatusIsNamedWithItsShare() {
        assertThat(first(new Seen().answered(429, 500)).evidence())
                .containsExactly("status 429 in 4.8 % of the answers");
        var both = new Seen().answered(404, 500).status(503, 400).errors(ErrorKind.STATUS, 900);
        assertThat(Diagnosis.of(both.trial()).findings())
                .as("the plan's own status and those of errors have no place there")
                .filteredOn(f -> f.rule().equals("unexpected-status"))
                .extracting(f -> f.evidence().getFirst())
                .containsExactly("status 404 in 4.6 % of the answers");
        assertThat(Diagnosis.of(new Seen().answered(429, 500).trial()).healthy())
                .extracting(Looked::what)
                .doesNotContain("answers that are not what was asked for");
    }

    private static Finding handshakes(int ofTenStacks, long connects) {
        return first(new Seen()
                .clients(32, 1000, 0.032)
                .cpu(0.97)
                .sighted("frame", "org.apache.tomcat.util.net.SecureNioChannel.tasks", ofTenStacks, "runs; seen")
                .sighted("frame", "org.apache.coyote.http11.Http11Processor.service", 10 - ofTenStacks, "runs; seen")
                .tls(connects));
    }

    /** A quarter of the CPU time is not all of it, and a handshake for each answer costs a third of the rest then. */
    @Test
    void handshakesFillTheCpusWhereTlsIsMostOfWhatRuns() {
        assertThat(handshakes(6, 10_000)).satisfies(f -> {
            assertThat(f.title()).isEqualTo("TLS handshakes fill the CPUs");
            assertThat(f.sentence()).contains("may cost more than the answer");
        });
        assertThat(handshakes(3, 10_000)).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("tls-handshakes");
            assertThat(f.title()).isEqualTo("TLS takes much of the CPU time, and many answers need a handshake");
            assertThat(f.sentence()).doesNotContain("may cost more");
        });
        assertThat(handshakes(3, 2_000).sentence()).contains("may cost more than the answer");
    }

    private static boolean slowClients(Seen seen) {
        return Diagnosis.of(seen.trial()).findings().stream()
                .anyMatch(f -> f.rule().equals("slow-clients"));
    }

    /** A worker that copies bytes into a socket which has room looks like one that waits for its client. */
    @Test
    void whoUsesACpuOrWaitsForOneDoesNotWaitForItsClient() {
        assertThat(slowClients(new Seen().always("wait.client", 20))).isTrue();
        assertThat(slowClients(new Seen()
                        .workers(0.9, 200)
                        .cpu(0.6)
                        .always("wait.client", 0.5)
                        .always("cpu.workers", 0.45)))
                .isFalse();
        assertThat(slowClients(new Seen().always("wait.client", 20).always("runqueue.wait", 18)))
                .isFalse();
        assertThat(slowClients(new Seen().always("wait.client", 30).always("runqueue.wait", 4)))
                .isTrue();
        assertThat(slowClients(new Seen().cpu(0.97).always("wait.client", 30))).isFalse();
    }

    /** A share is of a request's time, or there is none. */
    @Test
    void whatIsNoShareOfARequestsTimeIsNotToldAsOne() {
        assertThat(first(new Seen().cpu(0.97)).share()).isEmpty();
        assertThat(first(new Seen().always("fds.open", 900).always("fds.limit", 1024))
                        .share())
                .isEmpty();
        assertThat(first(new Seen().always("wait.lock", 30)).share()).hasValue(0.75);
    }
}
