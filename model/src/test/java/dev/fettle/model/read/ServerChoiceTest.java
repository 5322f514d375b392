package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.WarmSearch;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server as a knob of a tune, and as a dimension of a grid. */
class ServerChoiceTest {
    private static final String APP = "{server: tomcat, app: hello}";

    private static Plan plan(String target, String more) {
        return new PlanReader(2, 4096).read("p", "name: p\ntarget: " + target + "\nload: {connections: 4}\n" + more);
    }

    private static TrialSpec trial(Plan plan, Setting setting) {
        return new TrialSpec(Phase.SEARCH, "", Map.of(), 0, plan.target(), setting, plan.load());
    }

    @Test
    void aTrialRunsOnTheServerThatItsSettingChooses() {
        Plan plan = plan(APP, "knobs: {server: [tomcat, jetty, undertow], threads.max: [50, 100]}\n");
        assertThat(plan.knobs()).contains(KnobRange.choices("server", List.of("tomcat", "jetty", "undertow")));
        assertThat(trial(plan, Setting.DEFAULT).target()).isEqualTo(plan.target());
        TrialSpec jetty = trial(plan, Setting.of("server", "jetty"));
        assertThat(jetty.target().label()).isEqualTo("jetty/hello");
        assertThat(jetty.setting().get("server")).contains("jetty");
        assertThat(jetty.withPhase(Phase.DUEL)).extracting(TrialSpec::target).isEqualTo(jetty.target());
        assertThat(WarmSearch.whyNot(plan)).contains("another server is another process");
    }

    /** A knob that only one of the servers has may be listed, and is checked against the server of a setting. */
    @Test
    void aKnobIsCheckedAgainstTheChosenServer() {
        Plan plan = plan(APP, "knobs: {server: [tomcat, jetty], threads.acceptors: [1, 2]}\n");
        assertThat(Constraints.check(plan.target(), Setting.of("threads.acceptors", "1"), 2, 4096))
                .isNotEmpty();
        assertThat(Constraints.check(
                        plan.target(), Setting.of("threads.acceptors", "1").with("server", "jetty"), 2, 4096))
                .isEmpty();
    }

    @Test
    void aGridMovesTheTarget() {
        Plan plan = plan(APP, "sweep: {grid: {server: [tomcat, undertow], threads.max: [50]}, repeats: 1}\n");
        List<Dimension> grid = plan.sweep().orElseThrow().grid();
        assertThat(GridPoints.grid(grid).stream()
                        .map(p -> GridPoints.apply(p, new GridPoints.Parts(plan.target(), plan.hold(), plan.load()))))
                .extracting(p -> p.target().label(), GridPoints.Parts::setting)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("tomcat/hello", Setting.of("threads.max", "50")),
                        org.assertj.core.groups.Tuple.tuple("undertow/hello", Setting.of("threads.max", "50")));
    }

    @Test
    void whatFettleDoesNotDeployStaysWhereItIs() {
        Target url = plan("{url: 'http://127.0.0.1:1/'}", "").target();
        assertThat(url.movable()).isFalse();
        assertThat(url.under(Setting.of("server", "jetty"))).isEqualTo(url);
        assertThat(plan(APP, "")
                        .target()
                        .under(Setting.of("server", "undertow"))
                        .knownServer())
                .contains(ServerKind.UNDERTOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                APP + " | knobs: {server: [tomcat, nginx]} | 4:26: server is one of {all}, not 'nginx'",
                APP + " | knobs: {server: {from: 1, to: 2}} | server has no interval: give a list of values",
                APP + " | hold: {server: jetty} | 4:8: the server is not a knob to hold: it stands in 'target'",
                "{command: ['{java}', A, '{port}']} | knobs: {server: [jetty]} | only a sample app or a WAR that Fettle deploys can run on"
                        + " another server, and command is neither",
                "{command: ['{java}', A, '{port}']} | sweep: {grid: {server: [jetty]}} | server can vary only where Fettle deploys",
                APP + " | sweep: {grid: {server: [iis]}} | server is one of {all}, not 'iis'",
                APP + " | knobs: {server: [tomcat, jetty], connections.idle: [5s]} | connections.idle",
            })
    void aMistakeIsToldWithItsPlace(String target, String more, String words) {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> plan(target, more + "\n"))
                .withMessageContaining(words.replace("{all}", String.join(", ", ServerKind.ids())));
    }
}
