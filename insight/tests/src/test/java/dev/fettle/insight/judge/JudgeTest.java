package dev.fettle.insight.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.judge.Judgement.Finding;
import dev.fettle.insight.judge.Judgement.Outcome;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.imports.ResultImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures that were published, and near misses of them. */
class JudgeTest {
    private static List<Judgement> example(String file) throws IOException {
        return ResultImport.read(
                        Files.readString(Path.of("../../examples/judge").resolve(file)))
                .stream()
                .map(Judge::of)
                .toList();
    }

    private static List<String> refusals(Published p) {
        return Judge.of(p).refusals().stream().map(Finding::rule).toList();
    }

    private static Published given() {
        return Published.of("given", "");
    }

    /** Two hundred thousand error pages, and as many connections. */
    @Test
    void theJettyPageWasAnErrorPage() throws IOException {
        Judgement j = example("jetty-ab.txt").getFirst();
        assertThat(j.refusals()).extracting(Finding::rule).containsExactly("wrong-answers");
        assertThat(j.refusals().getFirst().message()).contains("200,000 of 200,000");
        assertThat(j.cautions()).extracting(Finding::rule).contains("connect-queue", "ports", "generator-limit");
    }

    /** One percent took longer than any answer did once it was connected, by less than a lost SYN costs. */
    @Test
    void theTomcatPageMeasuredItsConnects() throws IOException {
        Judgement j = example("tomcat-ab.txt").getFirst();
        assertThat(j.refusals()).extracting(Finding::rule).containsExactly("connect-queue");
        assertThat(j.refusals().getFirst().message())
                .startsWith("at least 1 % of the connects took 488 ms or more (p99 is 1.11 s")
                .contains("the longest 1.07 s")
                .doesNotContain("900 ms", "raise the backlog");
        assertThat(j.cautions())
                .filteredOn(f -> f.rule().equals("connects"))
                .singleElement()
                .extracting(Finding::message)
                .asString()
                .contains("49 %");
        assertThat(j.checked()).anyMatch(c -> c.startsWith("Little's law"));
    }

    @Test
    void theLoginPageHadNoRoomForItsAnswers() throws IOException {
        Judgement j = example("login-page.md").getFirst();
        assertThat(j.refusals()).extracting(Finding::rule).containsExactly("response-size");
        assertThat(j.refusals().getFirst().message()).contains("17 bytes a response");
    }

    @Test
    void theJmeterTableBreaksLittlesLawWhereTheHeapGrew() throws IOException {
        List<Judgement> all = example("tomcat-jmeter.md");
        assertThat(all).hasSize(20);
        for (Judgement j : all) {
            boolean heap = j.figures().label().contains("heap");
            boolean idle = List.of(197.0, 105.0)
                    .contains(j.figures().get(Figure.THROUGHPUT).orElseThrow());
            assertThat(j.outcome())
                    .as(j.figures().toString())
                    .isEqualTo(
                            heap || idle
                                    ? Outcome.REFUSED
                                    : Outcome.NOT_REFUTED == j.outcome() ? Outcome.NOT_REFUTED : Outcome.TOO_FEW);
            assertThat(j.refusals()).allMatch(f -> f.rule().equals("littles-law"));
        }
        assertThat(all.get(16).refusals().getFirst().message()).contains("Little's law allows 2,488/s");
        assertThat(all.get(8).cautions()).as("0.73").extracting(Finding::rule).contains("littles-law");
        assertThat(all.get(4).cautions()).as("0.99").extracting(Finding::rule).doesNotContain("littles-law");
    }

    @Test
    void siegesPauseSetEveryRateOfTheThreeServers() throws IOException {
        List<Judgement> all = example("three-servers-siege.md");
        assertThat(all).hasSize(9).allSatisfy(j -> {
            assertThat(j.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(j.refusals().getFirst().rule()).isEqualTo("think-time");
        });
        assertThat(all.getLast().refusals().getFirst().message()).contains("every 478 ms", "10.0 ms");
        assertThat(all.getFirst().refusals().getFirst().message()).contains("at most 5.00 ms");
    }

    @Test
    void soundFiguresAreNotRefusedAndNeverProven() {
        Judgement j = Judge.of(given().with(Figure.CLIENTS, 300)
                .with(Figure.THROUGHPUT, 3900)
                .with(Figure.MEAN, 0.0768)
                .with(Figure.RESPONSES, 117_000)
                .with(Figure.SECONDS, 30)
                .with(Figure.FAILED, 0)
                .with(Figure.WRONG, 0)
                .with(50, 0.077)
                .with(99, 0.088)
                .with(Figure.MAX, 0.12));
        assertThat(j.outcome()).isEqualTo(Outcome.NOT_REFUTED);
        assertThat(j.checked()).hasSize(3);
        assertThat(j.unknown()).anyMatch(u -> u.contains("repeated"));
    }

    @Test
    void tooFewFiguresAreTold() {
        Judgement j = Judge.of(given().with(Figure.THROUGHPUT, 20_020));
        assertThat(j.outcome()).isEqualTo(Outcome.TOO_FEW);
        assertThat(j.unknown()).anyMatch(u -> u.startsWith("how many clients"));
    }

    @ParameterizedTest
    @CsvSource({
        // clients, mean, rate, what
        "500,0.201,6926,littles-law",
        "500,0.201,2488,",
        "500,0.201,2530,",
        "500,0.201,2560,littles-law",
        "100,0.1,900,",
        "100,0.1,400,littles-law"
    })
    void littlesLawWithNearMisses(double clients, double mean, double rate, String rule) {
        assertThat(refusals(given().with(Figure.CLIENTS, clients)
                        .with(Figure.MEAN, mean)
                        .with(Figure.THROUGHPUT, rate)))
                .isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @ParameterizedTest
    @CsvSource({"1000,10,100,", "1000,10,103,", "1000,10,110,arithmetic", "1000,10,90,arithmetic"})
    void responsesAreRateTimesTime(double responses, double seconds, double rate, String rule) {
        assertThat(refusals(given().with(Figure.RESPONSES, responses)
                        .with(Figure.SECONDS, seconds)
                        .with(Figure.THROUGHPUT, rate)))
                .isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @ParameterizedTest
    @CsvSource({
        // p50, p99, max, mean
        "10,50,60,12,",
        "10,9,60,10,percentiles",
        "10,50,40,12,percentiles",
        "10,50,60,4,percentiles", // at least half took 10 ms
        "10,50,60,33,percentiles", // half took 10 at most, the next 49 % at most 50
        "10,50,60,30,",
        "10,50,60,5.2,",
    })
    void percentilesHaveToBePossible(double p50, double p99, double max, double mean, String rule) {
        assertThat(refusals(given().with(50, p50)
                        .with(99, p99)
                        .with(Figure.MAX, max)
                        .with(Figure.MEAN, mean)))
                .isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    /** What a percentile exceeds the longest answer once connected by was connecting; no more than that is claimed. */
    @ParameterizedTest
    @CsvSource({
        "99,1.105,0.200,1.07,900 ms or more (bound 1 %)",
        "99,1.105,0.206,1.07,899 ms or more",
        "99,1.105,0.617,1.07,488 ms or more",
        "99,1.105,0.880,1.07,225 ms or more",
        "99,1.105,0.890,1.07,", // less than a fifth of it
        "99,1.105,1.200,1.07,",
        "99,1.105,0.617,0.50,", // no SYN was lost
        "99.5,1.105,0.617,1.07,", // half a per cent
    })
    void aConnectIsAsSlowAsNothingElseWas(double q, double seconds, double processing, double connect, String says) {
        assertThat(Judge.of(given().with(Figure.CONNECT_MAX, connect)
                                .with(Figure.PROCESSING_MAX, processing)
                                .with(q, seconds))
                        .refusals())
                .satisfies(r -> assertThat(r).hasSize(says == null ? 0 : 1))
                .allSatisfy(r -> {
                    assertThat(r.rule()).isEqualTo("connect-queue");
                    assertThat(r.message()).contains(String.valueOf(says));
                });
    }

    @Test
    void siegeWithoutAPauseIsBelieved() {
        Published p = Published.of("siege", "")
                .with(Figure.CLIENTS, 100)
                .with(Figure.THROUGHPUT, 9800)
                .with(Figure.MEAN, 0.01);
        assertThat(refusals(p)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // clients, rate, mean as printed, p50, what
        "10,25000,0,0,", // 0.4 ms
        "10,20000,1,1,", // 0.5 ms
        "100,7937,13,12,", // 12.6 ms
        "10,22000,0,1,", // mean 0.45 ms, p50 0.6 ms
        "100,8200,13,12,littles-law", // at least 12.5 ms: 1.025
        "100,6600,13,12,littles-law", // at most 13.5 ms: 0.891
        "10,15000,0,0,littles-law", // at most 0.5 ms: 0.75
    })
    void abPrintsWholeMilliseconds(double clients, double rate, int mean, int median, String rule) {
        Published p = ResultImport.read("""
                Concurrency Level:      %.0f
                Time taken for tests:   %.3f seconds
                Complete requests:      100000
                Failed requests:        0
                Total transferred:      50000000 bytes
                Requests per second:    %.2f [#/sec] (mean)
                              min  mean[+/-sd] median   max
                Total:          0   %d   0.5     %d       40
                  50%%      %d
                """.formatted(clients, 100_000 / rate, rate, mean, median, median))
                .getFirst();
        assertThat(refusals(p)).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    /** Its mean contains answers that it made up, so it may only be too large. */
    @ParameterizedTest
    @CsvSource({"748868.53,635.91us,'at most 1.19',", "748868.53,400us,,littles-law"})
    void wrksMeanIsAnUpperBound(double rate, String mean, String said, String rule) {
        Published p = ResultImport.read("""
                Running 30s test @ http://127.0.0.1:8080/index.html
                  12 threads and 400 connections
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency   %s    0.89ms  12.92ms   93.69%%
                  %.0f requests in 30.00s, 17.76GB read
                Requests/sec: %.2f
                Transfer/sec:    606.33MB
                """.formatted(mean, rate * 30, rate)).getFirst();
        Judgement j = Judge.of(p);
        assertThat(j.refusals().stream().map(Finding::rule)).isEqualTo(rule == null ? List.of() : List.of(rule));
        assertThat(j.checked()).allMatch(c -> !c.startsWith("Little") || said != null && c.contains(said));
    }

    @ParameterizedTest
    @CsvSource({
        // samples, seconds as printed, rate, mean as printed, threads, what
        "4000,10,384.6,25,10,", // 10.4 s
        "40000,10,3846,2,10,", // 2.6 ms are printed as 2
        "40000,10,3846,1,10,littles-law", // less than 2 ms: 0.77
        "40000,10,3846,3,10,littles-law", // at least 3 ms: 1.15
        "4000,10,300,33,10,arithmetic",
        "4000,10,360.4,27,10,arithmetic", // 11.1 s
    })
    void jmeterPrintsWholeSecondsAndCutsItsMean(
            int samples, int seconds, double rate, int mean, int threads, String rule) {
        Published p = ResultImport.read(
                        "summary = %7d in 00:00:%02d = %6.1f/s Avg: %5d Min:     0 Max:   200 Err:     0 (0.00%%) Active: 0 Started: %d Finished: %d"
                                .formatted(samples, seconds, rate, mean, threads, threads))
                .getFirst();
        assertThat(refusals(p)).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @ParameterizedTest
    @CsvSource({
        // rate, mean as printed, what
        "7143,0.01,", // 14 ms
        "10500,0.01,", // 9.5 ms
        "5000,0.01,littles-law", // at most 15 ms: 0.75
        "21000,0.01,littles-law", // at least 5 ms: 1.05
        "25000,0.00,", // 4 ms
    })
    void siegePrintsHundredthsOfASecond(double rate, String mean, String rule) {
        Published p = ResultImport.read("""
                ** Preparing 100 concurrent users for battle.
                Transactions:             %.0f hits
                Elapsed time:             10.00 secs
                Response time:            %s secs
                Transaction rate:         %.2f trans/sec
                Failed transactions:      0
                """.formatted(rate * 10, mean, rate)).getFirst();
        assertThat(refusals(p)).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @Test
    void whatAMeanThatIsRoundedTellsOfLittlesLawIsSaid() {
        assertThat(Judge.of(given().with(Figure.CLIENTS, 10)
                                .with(Figure.THROUGHPUT, 20_000)
                                .withMean(0.001, 0.0005, 0.0005))
                        .checked())
                .containsExactly(
                        "Little's law (between 1.000 and 3.00 requests in flight for each client, as the mean is rounded)");
    }
}
