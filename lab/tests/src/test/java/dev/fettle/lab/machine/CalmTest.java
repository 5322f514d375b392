package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.watch.host.Disturbance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** On a clock of its own: a look takes as long as it says, and nothing else takes time. */
class CalmTest {
    private static final Duration MEASURE = Duration.ofSeconds(60);

    private final List<String> told = new ArrayList<>();
    private long now = 1_000_000_000_000L;
    private int looks;

    private static Disturbance seen(double foreign, double serverSteal, double generatorSteal) {
        return new Disturbance(
                OptionalFigure.empty(),
                OptionalFigure.of(serverSteal),
                OptionalFigure.of(generatorSteal),
                OptionalFigure.of(foreign),
                OptionalFigure.empty());
    }

    /** @param foreign what others use, by the seconds since the beginning */
    private Calm calm(ToDoubleFunction<Double> foreign) {
        long begin = now;
        return new Calm(
                (time, own) -> {
                    now += time.toNanos();
                    looks++;
                    return seen(foreign.applyAsDouble((now - begin) / 1e9), 0, 0);
                },
                Calm.LONGEST,
                Set.of(0, 1),
                () -> now,
                told::add);
    }

    @Test
    void aCalmMachineIsLookedAtOnce() throws Exception {
        assertThat(calm(s -> 0.05).await(MEASURE, List.of())).isEmpty();
        assertThat(looks).isEqualTo(1);
        assertThat(told).isEmpty();
    }

    @Test
    void aBurstIsWaitedOut() throws Exception {
        Calm calm = calm(s -> s < 7 ? 0.42 : 0.02);
        assertThat(calm.await(MEASURE, List.of())).isEmpty();
        assertThat(told)
                .containsExactly("waiting for calm: other processes use 42 % of CPU 0,1, at most 10 %: up to 20.0 s");
        assertThat(looks).isEqualTo(14);
    }

    @Test
    void afterTheBoundItGoesOnAndSaysSo() throws Exception {
        long begin = now;
        Optional<String> note = calm(s -> 0.3).await(MEASURE, List.of());
        assertThat(note.orElseThrow())
                .isEqualTo(
                        "the trial began without calm after 20.0 s: other processes use 30 % of CPU 0,1, at most 10 %");
        assertThat(told).hasSize(2).last().isEqualTo(note.get());
        assertThat(now - begin).isEqualTo(Calm.LONGEST.plus(Calm.LOOK).toNanos());
    }

    @Test
    void allWaitsTogetherAreAQuarterOfTheRunBesideTheFirst() throws Exception {
        Calm calm = calm(s -> 0.5);
        long begin = now;
        double waited = 0;
        for (int trial = 0; trial < 30; trial++) {
            long before = now;
            calm.await(Duration.ofSeconds(10), List.of());
            waited += (now - before) / 1e9;
            now += Duration.ofSeconds(12).toNanos();
        }
        double all = (now - begin) / 1e9;
        double looking = 30 * Calm.LOOK.toNanos() / 1e9;
        assertThat(waited - looking).isGreaterThan(0.15 * all).isLessThanOrEqualTo(0.25 * all + 10.5);
    }

    @Test
    void aShortTrialIsNotWaitedForLongerThanItMeasures() throws Exception {
        long begin = now;
        assertThat(calm(s -> 1).await(Duration.ofSeconds(2), List.of())).isPresent();
        assertThat((now - begin) / 1e9).isEqualTo(2.5);
    }

    @Test
    void stolenTimeOfOneSideIsWaitedForToo() throws Exception {
        var calm = new Calm(
                (time, own) -> {
                    now += time.toNanos();
                    return seen(0, looks++ < 3 ? 0.08 : 0.01, 0);
                },
                Calm.LONGEST,
                Set.of(3),
                () -> now,
                told::add);
        assertThat(calm.await(MEASURE, List.of())).isEmpty();
        assertThat(told)
                .containsExactly(
                        "waiting for calm: the hypervisor takes 8 % of the time of CPU 3, at most 3 %: up to 20.0 s");
    }

    @Test
    void whoDoesNotWantToWaitIsNotMadeToLook() throws Exception {
        var calm = new Calm((time, own) -> seen(1, 0, looks++), Duration.ZERO, Set.of(), () -> now, told::add);
        assertThat(calm.await(MEASURE, List.of())).isEmpty();
        assertThat(looks).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsNotKnownIsNotWaitedFor() throws Exception {
        var calm = new Calm((time, own) -> Disturbance.UNKNOWN, Calm.LONGEST, Set.of(), () -> now, told::add);
        assertThat(calm.await(MEASURE, List.of())).isEmpty();
    }
}
