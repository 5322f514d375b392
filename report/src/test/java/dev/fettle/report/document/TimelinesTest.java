package dev.fettle.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.Fixtures;
import dev.fettle.report.RunReport;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.text.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelinesTest {
    private static TrialOutcome trial(int ordinal, Phase phase, double rate) {
        TrialSpec s = Fixtures.spec(phase, "", Map.of(), 0, Setting.DEFAULT);
        var offered = s.load().withArrivals(Arrivals.Open.constant(rate));
        var spec = new TrialSpec(phase, "", Map.of(), 0, s.target(), s.setting(), offered);
        return Fixtures.valid(ordinal, spec, Fixtures.measurement(rate, 5, 0.1, ordinal), Map.of());
    }

    /** A page of hundreds of trials would be megabytes of half seconds. */
    @Test
    void thePageHasTheCourseOfSixtyTrialsAtMost() {
        List<TrialOutcome> trials = IntStream.rangeClosed(1, 63)
                .mapToObj(n -> Fixtures.valid(
                        n,
                        Fixtures.spec(Phase.SWEEP, "", Map.of("threads.max", "" + n), 0, Setting.DEFAULT),
                        // the last is the slowest, so it is one of those that are shown first
                        Fixtures.measurement(n == 63 ? 1 : 1 + n, 5, 0.1, n),
                        Map.of()))
                .toList();
        RunReport many =
                Fixtures.run("sweep", Fixtures.plan("shop", Fixtures.TOMCAT, List.of()), trials, Optional.empty());
        assertThat(Timelines.kept(many)).hasSize(60).contains(1, 58, 63).containsAll(Timelines.shown(many));
        String page = new HtmlReport().render(many);
        assertThat(page.split("\"on\":", -1)).hasSize(61);
        assertThat(page)
                .contains(
                        "Of the trials, 60 can be shown; the figures of the 3 others are in the table below.", "#60 ");
        RunReport few = Fixtures.run("sweep", many.plan(), trials.subList(0, 60), Optional.empty());
        assertThat(Timelines.kept(few)).hasSize(60);
        assertThat(new HtmlReport().render(few)).doesNotContain("can be shown;");
    }

    @Test
    void theSettingsOfATuneHaveTheColoursOfTheirGroups() {
        assertThat(Timelines.roles(Runs.tune()))
                .containsOnly(
                        Map.entry(Fixtures.HOLD, "baseline"),
                        Map.entry(Fixtures.HOLD.with(Setting.of("threads.max", "318")), "winner"));
        assertThat(Timelines.roles(Runs.grid())).isEmpty();
    }

    /** All have the default setting: a list of nothing but "default" would be no choice. */
    @Test
    void theProbesOfASearchAreToldApartByNumberAndRate() {
        var options = new CapacityOptions(
                Slo.parse("p99<50ms"),
                OptionalFigure.empty(),
                Duration.ofSeconds(5),
                0.03,
                3,
                Duration.ofMinutes(5),
                true,
                42,
                true,
                Optional.empty(),
                1,
                Duration.ofSeconds(5));
        Plan plan = Fixtures.plan("shop", Fixtures.TOMCAT, List.of())
                .withCapacity(Optional.of(new CapacityAsked("shop", options, OptionalFigure.empty(), true)));
        List<TrialOutcome> trials = List.of(
                trial(1, Phase.WARM_UP, 100),
                trial(2, Phase.IDLE, 10),
                trial(3, Phase.BRACKET, 3052),
                trial(4, Phase.CONFIRM, 4043));
        RunReport run = Fixtures.run("capacity", plan, trials, Optional.empty());
        assertThat(trials)
                .extracting(t -> Timelines.name(run, t))
                .containsExactly("#1 warm up", "#2 idle", "probe 1: 3,052/s", "probe 2: 4,043/s");
    }
}
