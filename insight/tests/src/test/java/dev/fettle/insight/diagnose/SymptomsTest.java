package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told as following from something else. */
class SymptomsTest {
    private static List<Finding> found(Seen seen) {
        return Diagnosis.of(seen.trial()).findings();
    }

    @Test
    void aRuleIsASymptomOfRulesThatThereAre() {
        List<String> all = Diagnosis.rules().stream().map(Diagnosis.InWords::id).toList();
        assertThat(Diagnosis.rules()).allSatisfy(r -> {
            assertThat(r.what()).as(r.id()).isNotBlank();
            assertThat(r.threshold()).as(r.id()).isNotBlank();
            assertThat(r.symptomOf()).as(r.id()).isSubsetOf(all).doesNotContain(r.id());
        });
    }

    /** Two that were each other's symptoms would both be told nowhere. */
    @Test
    void noRuleIsASymptomOfItself() {
        Map<String, Set<String>> causes = new HashMap<>();
        Diagnosis.rules().forEach(r -> causes.put(r.id(), new HashSet<>(r.symptomOf())));
        for (int i = 0; i < causes.size(); i++) {
            causes.values().forEach(c -> List.copyOf(c).forEach(x -> c.addAll(causes.get(x))));
        }
        assertThat(causes).allSatisfy((rule, all) -> assertThat(all).doesNotContain(rule));
    }

    @ParameterizedTest
    @CsvSource({
        "READ_TIMEOUT, no complete answer in time",
        "CONNECT_TIMEOUT, never were connected",
        "RESET, were cut off"
    })
    void clientsThatGetNoAnswerAreTheSymptomOfFullCpus(ErrorKind kind, String words) {
        List<Finding> found = found(new Seen().clients(2000, 400, 3).cpu(0.98).errors(kind, 200));
        assertThat(found).extracting(Finding::rule).containsExactly("cpu-full");
        assertThat(found.getFirst().symptoms()).anyMatch(s -> s.contains(words));
    }

    @Test
    void clientsThatTimeOutAreTheSymptomOfWhateverIsSlow() {
        Seen pinned = new Seen()
                .cpu(0.2)
                .always("virtual.carriers", 2)
                .always("virtual.mounted", 2)
                .always("virtual.queued", 30);
        assertThat(found(pinned.errors(ErrorKind.READ_TIMEOUT, 300)))
                .extracting(Finding::rule)
                .containsExactly("virtual-pinned");
        Seen swapping = new Seen().always("faults.major", 500).always("pressure.memory", 0.3);
        assertThat(found(swapping.errors(ErrorKind.READ_TIMEOUT, 300)))
                .extracting(Finding::rule)
                .containsExactly("swapping");
    }

    /** Full CPUs are a limit, but requests that fail are more than connections that cost a handshake. */
    @Test
    void aLimitThatExplainsAFaultComesWhereTheFaultWould() {
        Seen closes = new Seen().cpu(0.98).reconnects(9_000);
        assertThat(found(closes)).extracting(Finding::rule).containsExactly("keep-alive-off", "cpu-full");
        assertThat(found(closes.errors(ErrorKind.READ_TIMEOUT, 300)))
                .extracting(Finding::rule)
                .containsExactly("cpu-full", "keep-alive-off");
    }

    /** What is wrong comes before what is merely full, also where clients time out with both. */
    @Test
    void aWarningThatExplainsAFaultComesBeforeALimitThatDoes() {
        Seen locked = new Seen()
                .cpu(0.97)
                .always("wait.lock", 30)
                .sighted("lock", "org.apache.logging.log4j.core.appender.FileManager", 30, "");
        assertThat(found(locked).getFirst().rule()).isEqualTo("log-lock");
        assertThat(found(locked.errors(ErrorKind.READ_TIMEOUT, 300)).getFirst().rule())
                .isEqualTo("log-lock");
    }

    /** A service that takes its time makes answers late; it makes none wrong, refuses nobody and breaks no handshake. */
    @ParameterizedTest
    @CsvSource({"REFUSED, refused", "TLS, tls-failures", "BODY, wrong-answers", "MALFORMED, wrong-answers"})
    void whatFailsAtOnceIsNoSymptomOfALongWait(ErrorKind kind, String rule) {
        assertThat(found(new Seen().workers(63, 200).always("wait.socket", 60).errors(kind, 3_000)))
                .extracting(Finding::rule)
                .containsExactly(rule, "backend-wait");
        assertThat(found(new Seen().cpu(0.97).errors(kind, 3_000)))
                .extracting(Finding::rule)
                .containsExactly(rule, "cpu-full");
    }

    private static Seen hung() {
        return new Seen().failed(TrialOutcome.Kind.HUNG).always("workers.busy", 12);
    }

    /** Nothing was measured, but it was watched: what its workers wait for is why it does not answer. */
    @ParameterizedTest
    @CsvSource({
        "wait.lock, lock",
        "wait.pool, connection-pool",
        "wait.file, disk-wait",
        "wait.sleep, sleeping-workers",
        "wait.socket, backend-wait",
        "wait.other, waiting-workers"
    })
    void aTargetThatHangsIsToldWhatItsWorkersWaitFor(String signal, String rule) {
        Seen seen = hung().always(signal, 11);
        assertThat(found(seen)).extracting(Finding::rule).containsExactly(rule);
        Finding first = found(seen).getFirst();
        assertThat(first.severity()).isEqualTo(Severity.WARNING);
        assertThat(first.sentence()).startsWith("11 of 12 busy workers ").doesNotContain("request");
        assertThat(first.symptoms()).anyMatch(s -> s.startsWith("The target stopped answering"));
        assertThat(RefutationTrial.of(first, seen.trial()))
                .as("there is nothing to compare with")
                .isEmpty();
    }

    @Test
    void aTargetThatHangsWhileItsWorkersWaitForNothingKnownOnlyHangs() {
        assertThat(found(hung().always("wait.lock", 0).always("wait.socket", 2)))
                .extracting(Finding::rule)
                .containsExactly("hung");
        assertThat(found(hung().always("wait.lock", 11).always("threads.deadlocked", 2)))
                .extracting(Finding::rule)
                .containsExactly("deadlock");
    }

    /** Whoever wants a direct buffer where there is no room waits for the collector, one thread at a time. */
    @Test
    void aLockOfTheJdkForDirectBuffersIsTheSymptomOfTheirLack() {
        Seen full = new Seen()
                .failed(
                        TrialOutcome.Kind.OUT_OF_MEMORY,
                        "java.lang.OutOfMemoryError: Cannot reserve 16384 bytes of direct buffer memory")
                .always("workers.busy", 47)
                .always("wait.lock", 34);
        String held = "held by a thread in %s, called from shop.Page.read; asked for in shop.Page.read";
        assertThat(found(full.sighted(
                        Sighting.LOCK,
                        "java.lang.Object",
                        34,
                        held.formatted("java.lang.ref.Reference.hasReferencePendingList"))))
                .extracting(Finding::rule)
                .containsExactly("direct-memory-exhausted");
        assertThat(found(new Seen()
                        .failed(TrialOutcome.Kind.OUT_OF_MEMORY, "Cannot reserve 16384 bytes of direct buffer memory")
                        .always("workers.busy", 47)
                        .always("wait.lock", 34)
                        .sighted(Sighting.LOCK, "java.lang.Object", 34, held.formatted("shop.Cache.get"))))
                .extracting(Finding::rule)
                .containsExactly("direct-memory-exhausted", "lock");
    }

    private static Seen dropping() {
        return new Seen().connects(1.02).dropped(50);
    }

    @Test
    void anAcceptQueueThatOverflowsIsTheSymptomOfWhatIsFull() {
        List<Finding> pool = found(dropping().workers(4, 4));
        assertThat(pool).extracting(Finding::rule).containsExactly("workers-full");
        assertThat(pool.getFirst().symptoms())
                .anyMatch(s -> s.startsWith("50 connections were dropped because the target's accept queue"))
                .noneMatch(s -> s.contains("CPU are free"));
        assertThat(found(dropping().cpu(0.97))).extracting(Finding::rule).containsExactly("cpu-full");
        assertThat(found(dropping().always("wait.lock", 30)))
                .extracting(Finding::rule)
                .containsExactly("lock");
        assertThat(found(dropping().cpu(0.97).clients(2000, 1000, 2)))
                .as("room for 100 of 2,000: it overflows all the same")
                .extracting(Finding::rule)
                .containsExactly("accept-queue", "cpu-full");
    }

    private static Seen leftOpen(String peer) {
        return new Seen()
                .over("sockets.closeWait", 10, 100, 200, 300)
                .always("sockets.established", 100)
                .sighted("peer.closeWait", peer, 300, "");
    }

    @Test
    void clientsThatGaveUpAreTheSymptomOfWhatKeptThemWaiting() {
        List<Finding> gaveUp = found(leftOpen("from 10.0.0.9").always("wait.lock", 25));
        assertThat(gaveUp).extracting(Finding::rule).containsExactly("lock");
        assertThat(gaveUp.getFirst().symptoms()).anyMatch(s -> s.contains("in CLOSE_WAIT"));
        assertThat(found(leftOpen("from 10.0.0.9").cpu(0.97)))
                .extracting(Finding::rule)
                .containsExactly("cpu-full");
        assertThat(found(leftOpen("10.0.0.5:443").always("wait.lock", 25)))
                .as("its own connections to a service")
                .extracting(Finding::rule)
                .containsExactly("connections-left-open", "lock");
    }

    /** A loop that handles requests itself accepts nothing while it waits. */
    @Test
    void aFullAcceptQueueFollowsFromIoThreadsThatWait() {
        Seen loops = dropping().always("io.threads", 2).always("io.blocked", 2);
        assertThat(found(loops)).extracting(Finding::rule).containsExactly("before-the-workers");
        assertThat(found(loops).getFirst().symptoms()).anyMatch(w -> w.contains("accept queue"));
        assertThat(found(dropping().always("io.threads", 4).always("io.blocked", 1)))
                .extracting(Finding::rule)
                .containsExactly("accept-queue");
    }

    /** A longer queue lets nobody in where the server holds as many connections as it takes. */
    @ParameterizedTest
    @CsvSource({"20, 41, connections.max", "20, 20, connections.max", "8192, 41, backlog", "-1, 41, backlog"})
    void atALimitOfConnectionsTheBacklogIsNotToBlame(String limit, double sockets, String knob) {
        Seen full = dropping().with("connections.max", limit).always("sockets.established", sockets);
        Finding found = found(full).getFirst();
        assertThat(found.rule()).isEqualTo("accept-queue");
        assertThat(found.knob()).contains(knob);
        assertThat(found.remedy().contains("Raise the server's backlog")).isEqualTo(knob.equals("backlog"));
    }
}
