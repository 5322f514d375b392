package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.model.trial.Sighting;
import java.util.Arrays;
import java.util.Optional;
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

    /** With three answers a client, those at the ends are a third of all: what is far from 1 proves nothing. */
    @Test
    void figuresAreSaidToBelongTogetherOnlyWhereTheyDo() {
        assertThat(little(300, 86.5, 1.97))
                .contains("= 0.568")
                .doesNotContain("belong together")
                .contains("nothing");
        assertThat(little(300, 100, 3)).contains("belong together");
        assertThat(little(64, 1000, 0.064)).contains("belong together");
        assertThat(little(64, 1000, 0.04)).contains("does not come out at 1");
        assertThat(little(300, 86.5, 0.5)).contains("does not come out at 1");
    }

    private static String little(int clients, double rate, double seconds) {
        return DiagnoseExperiment.conclude(
                        new Seen().clients(clients, rate, seconds).trial(), Optional.empty())
                .laws()
                .getFirst();
    }

    @Test
    void withoutACollectionThereIsNothingAfterOne() {
        assertThat(Diagnosis.of(new Seen().always("gc.count", 0).trial()).notObserved())
                .filteredOn(l -> l.rule().equals("live-heap-grows") || l.rule().equals("long-pauses"))
                .extracting(Looked::words)
                .containsExactlyInAnyOrder(
                        "heap.live: there was no collection in that time",
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

    /** Asynchronous handling looks like requests that wait at the door, but at the door nothing waits then. */
    @Test
    void requestsOutsideTheWorkersAreAWarningOnlyWhereTheDoorIsHeldUp() {
        assertThat(first(new Seen().workers(2, 200))).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("before-the-workers");
            assertThat(f.severity()).isEqualTo(Severity.LIMIT);
            assertThat(f.title()).isEqualTo("Requests spend their time outside the workers");
            assertThat(f.sentence()).contains("consistent with requests that are handled asynchronously");
        });
        assertThat(first(new Seen().workers(2, 200).always("accept.queue", 0.3)).severity())
                .isEqualTo(Severity.LIMIT);
        assertThat(first(new Seen().workers(2, 200).always("accept.queue", 4))).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("before-the-workers");
            assertThat(f.severity()).isEqualTo(Severity.WARNING);
            assertThat(f.sentence()).contains("as 4 connections on average wait to be accepted");
        });
    }

    @Test
    void workersThatWaitForNothingOfAKnownKindAreToldWithWhere() {
        var all = Diagnosis.of(new Seen()
                        .workers(63, 200)
                        .always("wait.other", 60)
                        .sighted(
                                "frame",
                                "com.example.Quota.enter",
                                300,
                                "waits for something else; seen in 9 of 9 looks")
                        .trial())
                .findings();
        assertThat(all).singleElement().satisfies(f -> {
            assertThat(f.severity()).isEqualTo(Severity.LIMIT);
            assertThat(f.sentence()).startsWith("60 of 63 busy workers wait, most of them in com.example.Quota.enter,");
        });
        var line = Diagnosis.of(
                        new Seen().workers(4, 4).always("wait.other", 3.8).trial())
                .findings();
        assertThat(line).extracting(Finding::rule).containsExactly("workers-full", "waiting-workers");
    }

    /** The connections of a pool are many and idle; the service that is waited for may have few. */
    @Test
    void aServiceBehindIsToldByWhereWorkersWaitForIt() {
        Seen seen = new Seen()
                .workers(63, 200)
                .always("wait.socket", 60)
                .sighted("peer.established", "10.0.0.5:5432", 50, "");
        assertThat(first(seen).sentence()).contains("waiting for a socket (most connections are to 10.0.0.5:5432): ");
        assertThat(first(seen.sighted(
                                "frame", "com.example.Rates.ask", 300, "waits for a socket; seen in 9 of 9 looks"))
                        .sentence())
                .contains("(most of them in com.example.Rates.ask; most connections are to 10.0.0.5:5432)");
    }

    @Test
    void callsThatTimeOutAreToldByWhereWorkersWait() {
        assertThat(first(new Seen()
                                .took(20, 9970, 5_050, 30)
                                .always("wait.lookup", 0)
                                .sighted(
                                        "frame",
                                        "com.example.Rates.ask",
                                        30,
                                        "waits for a socket; seen in 9 of 9 looks"))
                        .sentence())
                .contains("no worker was seen to look a name up", "mostly in com.example.Rates.ask");
    }

    @Test
    void aTimeOutIsNotSaidToBeOneOfACallWhereNobodySawWhatWorkersWaitFor() {
        assertThat(first(new Seen().took(20, 9970, 5_050, 30))).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("calls-time-out");
            assertThat(f.sentence())
                    .contains("a call's or a resolver's; what workers wait for was not seen")
                    .doesNotContain("no worker was seen");
            assertThat(f.remedy()).contains("resolv.conf");
        });
        assertThat(first(new Seen().took(20, 9995, 5_050, 5).over("wait.lookup", 0))
                        .sentence())
                .contains("workers were sampled too seldom to show which");
    }

    /** Locks are counted by their class: of many stripes no one is said to be the only way through. */
    @Test
    void oneThreadAtATimeGetsThroughEachOfSeveralLocks() {
        String held = "held by a thread in shop.Cache.load; asked for in shop.Cache.get; %sseen in 9 of 9 looks";
        assertThat(first(new Seen()
                                .always("wait.lock", 25)
                                .sighted(Sighting.LOCK, "shop.Stripe", 25, held.formatted("")))
                        .sentence())
                .endsWith("one thread at a time gets through, whatever their number.");
        assertThat(first(new Seen()
                                .always("wait.lock", 25)
                                .sighted(
                                        Sighting.LOCK,
                                        "shop.Stripe",
                                        25,
                                        held.formatted(Sighting.DIFFERENT_LOCKS + "; ")))
                        .sentence())
                .contains("not all for the same lock of this class")
                .endsWith("one thread at a time gets through each of them.");
    }

    private static Seen readsFiles(double busy, double files) {
        return new Seen()
                .clients(2, 1000, 0.0016)
                .cpus(2)
                .cpu(1.6)
                .workers(busy, 200)
                .always("cpu.workers", 1.5)
                .always("runqueue.wait", 0.1)
                .always("wait.file", files)
                .always("disk.busy", 0)
                .always("pressure.io", 0);
    }

    /** What is read of a file is mostly in memory: that takes a CPU, and no disk. */
    @Test
    void cpuTimeInCallsForFilesIsNoWaitForADisk() {
        assertThat(Diagnosis.of(readsFiles(1.6, 0.65).trial()).findings())
                .extracting(Finding::rule)
                .doesNotContain("disk-wait");
        assertThat(Diagnosis.of(readsFiles(1.6, 0.65).trial()).healthy())
                .filteredOn(l -> l.rule().equals("disk-wait"))
                .extracting(Looked::words)
                .containsExactly("41 % of the busy workers, who may use a CPU or wait for one");
        assertThat(readsFiles(1.6, 0.65).always("disk.busy", 0.6).first()).isEqualTo("disk-wait");
        assertThat(readsFiles(1.6, 0.65).always("pressure.io", 0.2).first()).isEqualTo("disk-wait");
        assertThat(readsFiles(10, 9).first()).as("more than can have a CPU").isEqualTo("disk-wait");
        assertThat(readsFiles(8, 3.5).always("wait.running", 4).first())
                .as("the CPU time is of those that run: a file system over the network is in no disk's figures")
                .isEqualTo("disk-wait");
        Seen full = readsFiles(20, 12).cpu(1.95).clients(20, 1000, 0.02);
        assertThat(full.first()).isEqualTo("cpu-full");
        Finding disk = first(full.always("disk.busy", 0.6));
        assertThat(disk.rule()).isEqualTo("disk-wait");
        assertThat(disk.symptoms()).anyMatch(s -> s.startsWith("The CPU is full"));
    }

    /** Eight connections, each with sixteen requests that are answered one after the other: they wait for each other by design. */
    @Test
    void aPipelineIsNoQueueInFrontOfTheWorkers() {
        Seen pipelined =
                new Seen().clients(8, 800, 0.16).workers(8, 200).cpu(0.2).always("wait.socket", 8);
        assertThat(first(pipelined.inFlight(16, Protocol.HTTP_1_1))).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("backend-wait");
            assertThat(f.sentence())
                    .contains("100 % of a request's time", "10.0 ms of 10.0 ms, and 160 ms with those before it");
        });
        assertThat(Diagnosis.of(pipelined.trial()).findings())
                .extracting(Finding::rule)
                .doesNotContain("before-the-workers");
        assertThat(pipelined.inFlight(16, Protocol.HTTP_2).first())
                .as("streams need not wait for each other")
                .isEqualTo("before-the-workers");
        assertThat(new Seen()
                        .clients(8, 50, 0.16)
                        .workers(0.5, 200)
                        .cpu(0.2)
                        .inFlight(16, Protocol.HTTP_1_1)
                        .first())
                .as("as few as there are under way, none has another before it")
                .isEqualTo("before-the-workers");
        assertThat(new Seen()
                        .clients(8, 800, 0.04)
                        .workers(8, 200)
                        .inFlight(4, Protocol.HTTP_1_1)
                        .took(2, 2000, 41, 8000)
                        .first())
                .as("four at 10 ms each are 40 ms")
                .isNotEqualTo("delayed-ack");
    }

    private static Seen sessions() {
        return new Seen().over("sessions.active", 0, 3000, 6000, 9000);
    }

    /** Whether a load sends cookies is known. */
    @Test
    void sessionsOfALoadWithoutCookiesAreALimitUnlessTheHeapSuffers() {
        assertThat(first(sessions())).satisfies(f -> {
            assertThat(f.severity()).isEqualTo(Severity.LIMIT);
            assertThat(f.sentence()).contains("This load sends no cookies");
            assertThat(f.remedy()).doesNotContain("If the clients");
        });
        assertThat(first(sessions().gc(0.07)).severity()).isEqualTo(Severity.WARNING);
        assertThat(first(sessions().always("heap.live", 90e6).always("heap.max", 100e6))
                        .severity())
                .isEqualTo(Severity.WARNING);
        assertThat(first(sessions().keepsCookies())).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("sessions-pile-up");
            assertThat(f.severity()).isEqualTo(Severity.WARNING);
            assertThat(f.sentence()).doesNotContain("cookies");
        });
    }

    private static Seen spread(Seen s) {
        for (int i = 0; i < 40; i++) {
            s.profiled(130, "T.run", "com.acme.shop.Cart.step" + i);
        }
        return s.profiled(300, "T.run", "com.acme.shop.Cart.total").profiled(4_200, "org.apache.coyote.T.run");
    }

    /** Forty methods of 1.3 % each are 54 % together; the largest has 3 %. */
    @Test
    void aMethodIsNamedOnlyWhereItHasMostOfItsPackage() {
        assertThat(first(spread(new Seen().cpu(0.97)))).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("expensive-method");
            assertThat(f.title()).isEqualTo("The CPUs are full, mostly with com.acme.shop.*");
            assertThat(f.sentence())
                    .startsWith(
                            "The methods of com.acme.shop (the largest, com.acme.shop.Cart.total, has 3.1 %), with ")
                    .contains("have 57 % of the target's CPU time");
            assertThat(f.remedy() + f.refutedBy()).doesNotContain("its result");
        });
        Seen stacks = new Seen()
                .cpu(0.97)
                .stacks(100, 0, 0)
                .sighted("frame.runs", "com.acme.shop.Cart.total", 15, "seen in 9 of 9 looks")
                .sighted("frame.runs", "com.acme.shop.Cart.tax", 14, "seen in 9 of 9 looks")
                .sighted("frame.runs", "com.acme.shop.Page.show", 13, "seen in 9 of 9 looks");
        assertThat(first(stacks)).satisfies(f -> {
            assertThat(f.title()).isEqualTo("The CPUs are full, a good part with com.acme.shop.*");
            assertThat(f.sentence())
                    .startsWith(
                            "A method of com.acme.shop (the largest, com.acme.shop.Cart.total, has 15 %) is on top of 42 %");
        });
    }

    @Test
    void exceptionsAreSaidToBeMostlyOfOneMethodWhereTheyAre() {
        Seen many = new Seen().cpu(0.97);
        for (int i = 0; i < 5; i++) {
            many.profiled(
                    500,
                    "com.acme.Shop.find" + i,
                    "java.lang.Exception.<init>",
                    "java.lang.Throwable.fillInStackTrace");
        }
        assertThat(first(many.profiled(7_200, "org.apache.coyote.T.run"))).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("exceptions");
            assertThat(f.sentence()).contains("more of them in com.acme.Shop.find0 than in any other method");
        });
    }

    @Test
    void aCollectorsShareIsToldOfWhatItIsAShareOf() {
        Seen cpu = new Seen().cpu(0.97).gc(0.03).always("cpu.gc", 0.15).always("cpu.total", 0.97);
        assertThat(first(cpu).title()).isEqualTo("Garbage collection takes much of the CPU time");
        assertThat(first(new Seen().gc(0.2)).title()).isEqualTo("Garbage collection takes much of the time");
    }

    /** What others use is told as a share of the CPUs, what a thread uses as one of a CPU. */
    @Test
    void whoComesBackIsToldByItsShareOfTheCpus() {
        double[] p99 = new double[20];
        double[] used = new double[20];
        Arrays.fill(p99, 25);
        Arrays.fill(used, 0.01);
        for (int i : new int[] {1, 5, 9, 13, 17}) {
            p99[i] = 90;
            used[i] = 0.5;
        }
        assertThat(first(new Seen().p99(p99).over("host.foreign", used))
                        .evidence()
                        .getFirst())
                .isEqualTo("other processes use 50 % of the CPUs when requests are slow, and 1 % else");
        assertThat(first(new Seen().p99(p99).over("cpu.gc", used)).evidence().getFirst())
                .isEqualTo("the collector's threads use 50 % of a CPU when requests are slow, and 1 % else");
    }

    /** A share is of a request's time, or there is none. */
    @Test
    void whatIsNoShareOfARequestsTimeIsNotToldAsOne() {
        assertThat(first(new Seen().cpu(0.97)).share().optional()).isEmpty();
        assertThat(first(new Seen().always("fds.open", 900).always("fds.limit", 1024))
                        .share()
                        .optional())
                .isEmpty();
        assertThat(first(new Seen().always("wait.lock", 30)).share().optional()).hasValue(0.75);
    }
}
