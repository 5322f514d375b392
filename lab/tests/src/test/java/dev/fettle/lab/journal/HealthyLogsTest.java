package dev.fettle.lab.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.diagnose.DiagnoseExperiment;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.measure.RecordedEvidence;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Days of a shop whose server is healthy, by its access log: twenty times as many requests at noon as at night, a deploy in which requests fail for half a
 * minute, reports in the night that take seconds, and robots that ask for what is not there. No finding may come of it; and of the
 * same days with something wrong one has to.
 */
class HealthyLogsTest {
    /** As many days are simulated; a property (fettle.days) makes them more. */
    private static final int DAYS = Integer.getInteger("fettle.days", 6);

    private static final Instant MIDNIGHT = Instant.parse("2026-11-29T00:00:00Z");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);

    @TempDir
    Path folder;

    /** What is wrong with a day. */
    enum Wrong {
        NOTHING(""),
        /** An hour at noon in which the database is slow. */
        SLOW("slow-requests"),
        /** From noon on one request in twenty fails. */
        FAILS("server-errors");

        private final String rule;

        Wrong(String rule) {
            this.rule = rule;
        }
    }

    private Path day(Wrong wrong, long seed) throws Exception {
        var random = new Random(seed);
        var log = new StringBuilder();
        int deploy = 36_000 + random.nextInt(7200);
        double second = 0;
        while (second < 86_400) {
            double hour = second / 3600;
            // the most at one o'clock in the afternoon
            double rate = 0.02 + 0.4 * Math.pow(0.5 - 0.5 * Math.cos(2 * Math.PI * (hour - 1) / 24), 2);
            second += -Math.log(1 - random.nextDouble()) / rate;
            boolean report = hour >= 2 && hour < 3 && random.nextDouble() < 0.3;
            double took = report ? 4 + 8 * random.nextDouble() : 0.02 * Math.exp(random.nextGaussian());
            int status = random.nextDouble() < 0.08 ? 404 : 200;
            if (second > deploy && second < deploy + 30) {
                status = 503;
                took = 0.001;
            }
            boolean bad = hour >= 12 && hour < 14;
            took += wrong == Wrong.SLOW && bad ? 3 : 0;
            status = wrong == Wrong.FAILS && hour >= 12 && random.nextDouble() < 0.05 ? 500 : status;
            log.append("10.0.%d.%d - - [%s] \"GET /%s HTTP/1.1\" %d 900 %d\n"
                    .formatted(
                            random.nextInt(250),
                            random.nextInt(250),
                            TIME.format(MIDNIGHT.plusMillis((long) (second * 1e3))),
                            report ? "report" : "cart/" + random.nextInt(5),
                            status,
                            Math.round(took * 1e3)));
        }
        return Files.writeString(folder.resolve(wrong + "-" + seed), log);
    }

    @ParameterizedTest
    @EnumSource
    void aDay(Wrong wrong) throws Exception {
        for (int seed = 1; seed <= (wrong == Wrong.NOTHING ? DAYS : 2); seed++) {
            Path log = day(wrong, seed);
            assertThat(found(log)).as("day %d", seed).isEqualTo(wrong.rule.isEmpty() ? List.of() : List.of(wrong.rule));
            Files.delete(log);
        }
    }

    private static List<String> found(Path log) throws Exception {
        OthersFiles read = OthersFiles.read(List.of(log), OthersFiles.Asked.all(true), MIDNIGHT);
        DiagnoseConclusion c = DiagnoseExperiment.observed(
                new Target.Url(URI.create("http://127.0.0.1/")),
                Fixtures.load(1, ""),
                RecordedEvidence.of(read.timeline(), List.of()),
                Instant.EPOCH,
                Duration.ofMillis(read.timeline().points() * read.timeline().stepMillis()));
        if (c.bottleneck().isEmpty()) {
            assertThat(c.healthy()).extracting(Looked::rule).contains("slow-requests", "server-errors");
        }
        return c.bottleneck().stream().map(f -> f.rule()).toList();
    }
}
