package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Finding;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.TrialOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What real faulty servers were seen to do, as {@code bench/faults/suite.py --record} kept it. */
class RecordedFaultsTest {
    private static TrialOutcome recorded(String name) throws IOException {
        return recorded("faults", name);
    }

    private static TrialOutcome recorded(String folder, String name) throws IOException {
        try (InputStream in = RecordedFaultsTest.class.getResourceAsStream(
                        "/dev/fettle/insight/" + folder + "/" + name + ".json.gz");
                var json = new GZIPInputStream(Objects.requireNonNull(in, name))) {
            return Json.mapper().readValue(json, TrialOutcome.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "log-lock.tomcat, log-lock",
        "monitor.tomcat, lock",
        "backend-slow.tomcat, backend-wait",
        "pool-small.tomcat, workers-full",
        // two of its four threads serve, 1.9 of them busy on average, and 47 of 48 clients wait
        "pool-small.jetty, workers-full",
        "heap-small.tomcat, heap-exhausted",
        "connections-leaked.tomcat, connections-left-open",
        // its sockets were looked at in the warm-up only
        "connections-leaked.undertow, connections-left-open",
        // 19,600 of its 20,000 descriptors are such connections
        "connections-leaked.tomcat.full, connections-left-open",
        // the few busy workers wait for the service behind; the clients pause for 97 % of the time
        "think-time.tomcat, think-time",
        "errors-500.tomcat, server-errors",
        "cache-lock.tomcat, lock",
        "juc-lock.tomcat, lock",
        "database-pool-small.tomcat, connection-pool",
        "keep-alive-off.tomcat, keep-alive-off",
        "allocation-storm.tomcat, allocation",
        "allocation-storm.tomcat.starved, allocation",
        "compression.tomcat, expensive-method",
        "exception-storm.tomcat, exceptions",
        "delayed-ack.tomcat, delayed-ack",
        "redis-slow.tomcat, backend-wait",
        // three stacks were seen to run, one of them in TLS
        "tls-handshakes.tomcat, tls-handshakes",
        "native-leak.tomcat, native-memory-grows",
        // the memory for direct buffers was full before the measuring ended
        "native-leak.tomcat.full, native-memory-grows",
        // the compilers worked at first: they can't shorten a sleep
        "cache-cold.tomcat.quiet, still-warming",
        "cpu-work.tomcat, expensive-method",
        // when they were recorded, nobody saw lookups yet: a call may have such a time-out, too
        "dns-slow.tomcat, calls-time-out",
        "fds-used-up.tomcat, descriptors-used-up",
        "large-body.tomcat, large-answers",
        "parse-uncached.tomcat, expensive-method",
        "batch-job.tomcat, periodic-job",
        "cache-cold.tomcat, still-warming",
        "backlog-small.tomcat, accept-queue",
        "dns-slow.undertow, calls-time-out",
        "io-thread-blocked.undertow, before-the-workers",
        "cpu-quota.tomcat, cpu-quota",
        "virtual-pinned.tomcat, virtual-pinned",
        "gc-explicit.tomcat, explicit-gc",
        "retry-storm.tomcat, sleeping-workers",
        "humongous.tomcat, humongous-allocation",
        "fds-used-up.jetty, descriptors-used-up",
        "fds-used-up.undertow, descriptors-used-up",
        "backend-slow.undertow, backend-wait",
        "one-hot-thread.tomcat, one-thread",
        "fsync-per-request.tomcat, disk-wait",
        // a target that stopped answering can't be looked into any more: the deadlock itself was not seen
        "deadlock.tomcat, hung"
    })
    void theFirstFindingIsTheFault(String name, String rule) throws IOException {
        DiagnoseConclusion c = DiagnoseExperiment.conclude(recorded(name), Optional.empty());
        List<Finding> found = Diagnosis.of(recorded(name)).findings();
        assertThat(found.getFirst().rule()).as(c.headline()).isEqualTo(rule);
        assertThat(c.bottleneck().map(Finding::rule)).as(c.headline()).hasValue(rule);
    }

    /** What a fault leads to is told with it: descriptors that leaked connections use up, pauses of a JVM that is held back. */
    @ParameterizedTest
    @CsvSource({
        "connections-leaked.tomcat.full, file descriptors are used up|The process has 19,474 of 20,000 open",
        "cpu-quota.tomcat.pauses, longest pause"
    })
    void whatFollowsFromAFaultIsItsSymptom(String name, String words) throws IOException {
        List<Finding> found = Diagnosis.of(recorded(name)).findings();
        assertThat(found)
                .filteredOn(f -> f.severity() != Finding.Severity.LIMIT)
                .hasSize(1);
        assertThat(String.join(" ", found.getFirst().symptoms())).containsPattern(words);
    }

    /**
     * Of 37 stacks that ran, 19 were dumped in the page's own package and 18 in the uncached parser, whose part of the CPU time is nearly
     * two thirds.
     */
    @Test
    void theMethodIsNamedByTheProfileAndNotByDumpedStacks() throws IOException {
        TrialOutcome trial = recorded("parse-uncached.tomcat.profiled");
        Finding named = Diagnosis.of(trial).findings().getFirst();
        assertThat(named.rule()).isEqualTo("expensive-method");
        assertThat(named.title()).contains("mostly with ua_parser.");
        assertThat(named.sentence())
                .contains("64 % of the target's CPU time in a profile of 10.4 s (async-profiler 4.1)");
        TrialOutcome dumped = trial.withEvidence(trial.evidence().map(e -> e.withProfiles(List.of())));
        assertThat(Diagnosis.of(dumped).findings().getFirst().title()).doesNotContain("ua_parser");
    }

    /** Another program stopped in the midst of it: requests got quicker, but slept as long. No cache filled. */
    @Test
    void whatGetsQuickerBecauseAnotherProgramStopsIsNotFilling() throws IOException {
        assertThat(DiagnoseExperiment.conclude(recorded("retry-storm.jetty.disturbed"), Optional.empty())
                        .bottleneck())
                .as("other programs can cause that")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dns-slow.tomcat", "dns-slow.undertow"})
    void lookupsThatWereSeenAreNamed(String name) throws IOException {
        String json = Json.mapper().writeValueAsString(recorded(name));
        // any series that is not zero can stand for it
        TrialOutcome seen =
                Json.mapper().readValue(json.replace("\"sockets.established\"", "\"wait.lookup\""), TrialOutcome.class);
        assertThat(Diagnosis.of(seen).findings())
                .extracting(Finding::rule)
                .contains("slow-lookup")
                .doesNotContain("calls-time-out");
    }

    /** Of 30 busy workers 22 were seen writing to their clients, and 30 threads waited for the only CPU. */
    @Test
    void whoWritesLargeAnswersWithFullCpusDoesNotWaitForItsClients() throws IOException {
        // when it was recorded, a write to the client was not yet told from other sockets
        String json = Json.mapper().writeValueAsString(recorded("large-body.tomcat"));
        TrialOutcome told =
                Json.mapper().readValue(json.replace("\"wait.socket\"", "\"wait.client\""), TrialOutcome.class);
        assertThat(new TrialFacts(told).shareOfHolding("wait.client").orElseThrow())
                .isGreaterThan(0.5);
        assertThat(Diagnosis.of(told).findings()).extracting(Finding::rule).doesNotContain("slow-clients");
    }

    /**
     * Servers with nothing wrong, as {@code suite.py --healthy --record} kept them: what they are told is the limit of any server, and
     * never a warning. {@code login.tomcat} spends its CPU time in many places: the one stack that was seen to run is not all of it.
     */
    @ParameterizedTest
    @CsvSource({
        "hello.tomcat.25, ''",
        "hello.undertow.25, cpu-full",
        "payload.jetty.25, cpu-full",
        "login.tomcat.25, cpu-full",
        "login.undertow.25, cpu-full",
        "login.undertow.17, ''",
        "work.jetty.17, expensive-method",
        "work.undertow.25, cpu-full",
    })
    void aHealthyServerIsWarnedOfNothing(String name, String limit) throws IOException {
        List<Finding> found = Diagnosis.of(recorded("healthy", name)).findings();
        assertThat(found)
                .extracting(Finding::severity)
                .doesNotContain(Finding.Severity.WARNING, Finding.Severity.FAULT);
        assertThat(found.stream().map(Finding::rule).findFirst().orElse("")).isEqualTo(limit);
    }
}
