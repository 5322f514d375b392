package dev.fettle.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.Scenario;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.read.PlanReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadsTest {

    private static LoadSpec spec(Load load) {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);
        return Loads.spec(new LoadPort.Order(
                load, address, OptionalLong.empty(), Duration.ofSeconds(1), Duration.ZERO, Set.of()));
    }

    /** The engine compiles what the plan reader has let through. */
    @Test
    void theExamplesScenarioIsTheEnginesToo() {
        Load load = new PlanReader(2, 4096)
                .read(Path.of("..", "..", "examples", "login-scenario.yaml"))
                .load();

        Scenario scenario = spec(load).scenario().orElseThrow();

        assertThat(scenario.stepCount())
                .isEqualTo(load.scenario().orElseThrow().stepNames().size())
                .isEqualTo(3);
        assertThat(scenario.feeds())
                .singleElement()
                .satisfies(f -> assertThat(f.columns()).containsExactly("account", "password"))
                .satisfies(f -> assertThat(f.rows().get(1)).containsExactly("grace", "a, b & c = \"d\""));
        assertThat(scenario.flows().getFirst().steps().get(2).conditions())
                .containsExactly(new Scenario.Condition.BodyContains("Welcome, ${account}"));
    }

    @Test
    void aPlansLastRateGoesOn() {
        var stages = List.of(
                new Arrivals.Stage(0, 10, Duration.ofSeconds(1), 1),
                new Arrivals.Stage(10, 50, Duration.ofSeconds(1), 5));
        var arrivals = spec(Fixtures.load(1, "x").withArrivals(new Arrivals.Open(stages, false, 1)))
                .arrivals();
        assertThat(((dev.fettle.load.api.Arrivals.Open) arrivals).stages())
                .last()
                .isEqualTo(new dev.fettle.load.api.Arrivals.Stage(50, 50, Duration.ofDays(7), 5));
    }
}
