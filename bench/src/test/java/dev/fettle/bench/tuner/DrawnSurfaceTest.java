package dev.fettle.bench.tuner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrawnSurfaceTest {
    /** Of other seeds than those that results are of: a look at them spoils nothing. */
    private static final List<DrawnSurface> MANY = DrawnSurface.first(200, 1001);

    private static long with(String trait) {
        return MANY.stream().filter(s -> s.traits().contains(trait)).count();
    }

    @Test
    void theSameNumberIsTheSameSurface() {
        var again = new DrawnSurface(1001, 7);
        DrawnSurface seventh = MANY.get(6);
        assertThat(again.id()).isEqualTo(seventh.id()).isEqualTo("drawn-1001-07");
        assertThat(again.all()).allSatisfy(s -> assertThat(again.throughput(s)).isEqualTo(seventh.throughput(s)));
        var other = new DrawnSurface(1002, 7);
        assertThat(other.throughput(Setting.DEFAULT)).isNotEqualTo(again.throughput(Setting.DEFAULT));
        assertThat(other.luck(new Surface.Luck(0.03, 0, 0, 1)))
                .isNotEqualTo(again.luck(new Surface.Luck(0.03, 0, 0, 1)));
    }

    @Test
    void eachKindIsDrawnAboutAsOftenAsIsSaid() {
        assertThat(with("flat")).isBetween(13L, 40L);
        assertThat(with("pair")).isBetween(40L, 85L);
        assertThat(with("dies")).isBetween(28L, 65L);
        assertThat(with("pool")).isGreaterThan(50);
        assertThat(with("cpu")).isGreaterThan(25);
        assertThat(with("clients")).isGreaterThan(8);
        assertThat(with("services")).isBetween(10L, 50L);
    }

    @Test
    void theDefaultLives() {
        assertThat(MANY)
                .allSatisfy(s ->
                        assertThat(s.throughput(Setting.DEFAULT).optional()).isPresent());
    }

    @Test
    void someSettingsDieWhereItSaysSo() {
        assertThat(MANY)
                .allSatisfy(s -> assertThat(
                                s.all().stream().anyMatch(x -> s.throughput(x).isEmpty()))
                        .isEqualTo(s.traits().contains("dies")));
    }

    @Test
    void onAFlatOneTheDefaultIsTheBest() {
        assertThat(MANY).filteredOn(s -> s.traits().contains("flat")).allSatisfy(s -> {
            double standard = s.throughput(Setting.DEFAULT).orElseThrow();
            assertThat(s.best(1)).isEqualTo(standard);
            Setting other =
                    Setting.of("jvm.gc", "serial").with("backlog", "4000").with("tcp.nodelay", "false");
            assertThat(s.throughput(other).optional()).hasValue(standard);
        });
    }

    /** With a full CPU the law of the pool does not apply, and a tuner must be able to see that. */
    @Test
    void aTrialShowsWhatIsFull() {
        assertThat(MANY).allSatisfy(s -> {
            TrialOutcome t = trial(s);
            double cpu =
                    t.evidence().orElseThrow().get(Aggregate.SERVER_CPU_SECONDS).orElseThrow() / 10;
            double x = s.throughput(Setting.DEFAULT).orElseThrow();
            assertThat(t.measurement().orElseThrow().throughput()).isCloseTo(x, within(0.06 + 0.001 * x));
            assertThat(cpu).isCloseTo(Math.min(1, x / s.physics().ceiling()), within(0.01));
        });
        assertThat(MANY)
                .filteredOn(s -> s.traits().contains("cpu"))
                .anyMatch(s -> trial(s).evidence()
                                .orElseThrow()
                                .get(Aggregate.SERVER_CPU_SECONDS)
                                .orElseThrow()
                        > 9);
    }

    private static TrialOutcome trial(DrawnSurface s) {
        var plan = s.plan(8, 1);
        var spec = new TrialSpec(Phase.BASELINE, "", Map.of(), 0, plan.target(), Setting.DEFAULT, plan.load());
        return s.server(new Surface.Luck(0, 0, 0, 1)).run(1, spec);
    }
}
