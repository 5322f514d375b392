package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What a script is told of a capacity below the one asked for. */
class ExitStatusTest {
    private static final Slo SLO = Slo.parse("p99<50ms");

    private static Plan plan() {
        var options = new CapacityOptions(
                SLO,
                OptionalFigure.empty(),
                Duration.ofSeconds(5),
                0.05,
                3,
                Duration.ofMinutes(5),
                true,
                42,
                true,
                Optional.empty(),
                1,
                Duration.ofSeconds(5));
        return new PlanReader(2, 4096)
                .read("mine", """
                        name: mine
                        target: {server: tomcat, app: login}
                        load: {connections: 50}
                        """)
                .withCapacity(Optional.of(new CapacityAsked("mine", options, OptionalFigure.of(5000), true)));
    }

    @Test
    void aSpikeThatIsVoidIsNoResult() {
        var slice = new Slice(0, 1, 1, 1, 0, 0, 0, Map.of(), LatencySummary.NONE);
        for (Optional<String> voided : List.of(Optional.<String>empty(), Optional.of("the generator was late"))) {
            var spike = new OverloadResult(
                    SLO, 1, 2, slice, slice, slice, OptionalFigure.empty(), "", List.of(), List.of(), voided);
            var found = new CapacityConclusion(
                    OptionalFigure.empty(), Optional.empty(), Optional.of(spike), List.of(), List.of());
            var line = new CommandLine(CommandSpec.create()).setOut(new PrintWriter(Writer.nullWriter()));
            assertThat(ExitStatus.of(found, plan(), new Screen(line, false, false)))
                    .isEqualTo(voided.isPresent() ? 4 : 0);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FOUND|5|MISSED: at least 5,000/s was asked for",
                "LIMIT_TO_4900|5|MISSED: at least 5,000/s was asked for",
                "LIMIT_TO_6000|4|NOT KNOWN: at least 5,000/s was asked for; 3,000/s is confirmed, and the limit may be as high as 6,000/s",
                "GENERATOR_LIMIT|4|NOT KNOWN: at least 5,000/s was asked for, and the generator was full before that was shown",
                "DISTURBED|4|NOT KNOWN: at least 5,000/s was asked for, and what broke the SLO before that was shown was disturbed"
            })
    void whereMoreMayBePossibleNothingIsMissed(String name, int status, String said) {
        boolean bounded = name.startsWith("LIMIT_TO_");
        Outcome outcome = bounded ? Outcome.FOUND : Outcome.valueOf(name);
        Optional<Interval> limit = bounded
                ? Optional.of(new Interval(
                        3200, 2800, Double.parseDouble(name.substring(9)), 0.95, Interval.Method.POSTERIOR))
                : Optional.empty();
        var result =
                new CapacityResult(SLO, outcome, 3000, limit, 3, Optional.empty(), "", List.of(), Optional.empty());
        var found = new CapacityConclusion(
                OptionalFigure.empty(), Optional.of(result), Optional.empty(), List.of(), List.of());
        var out = new StringWriter();
        var line = new CommandLine(CommandSpec.create()).setOut(new PrintWriter(out, true));
        assertThat(ExitStatus.of(found, plan(), new Screen(line, false, false))).isEqualTo(status);
        assertThat(out.toString().strip()).isEqualTo(said);
    }

    /** The exit status and the note on a condition of the SLO are of one mind: not shown is not missed. */
    @ParameterizedTest
    @CsvSource({"4900,5", "6000,4"})
    void aThroughputThatTheLimitMayReachIsNotMissed(double high, int status) {
        var result = new CapacityResult(
                Slo.parse("p99<50ms,throughput>5000"),
                Outcome.FOUND,
                3000,
                Optional.of(new Interval(3200, 2800, high, 0.95, Interval.Method.POSTERIOR)),
                3,
                Optional.empty(),
                "",
                List.of(),
                Optional.empty());
        var found = new CapacityConclusion(
                OptionalFigure.empty(), Optional.of(result), Optional.empty(), List.of(), List.of());
        var line = new CommandLine(CommandSpec.create()).setOut(new PrintWriter(Writer.nullWriter()));
        Plan asked = plan();
        Plan plan = asked.withCapacity(asked.capacity()
                .map(c -> new CapacityAsked(c.label(), c.options(), OptionalFigure.empty(), c.whole())));
        assertThat(ExitStatus.of(found, plan, new Screen(line, false, false))).isEqualTo(status);
    }
}
