package dev.fettle.lab.measure;

import dev.fettle.model.load.Load;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * What runs alongside a loaded target.
 *
 * @param since the time of the lab's clock at which its timeline starts; empty: with the first window
 * @param partner pid of the target it shares the machine with
 * @param processes all processes of the partner's trial
 * @param atMost upper bound on the whole load
 */
public record CoRunner(OptionalLong since, OptionalLong partner, List<Long> processes, Duration atMost) {
    /** A load by itself. */
    public static CoRunner nothing(Load load) {
        return new CoRunner(
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(),
                load.warmUpAtMost().plus(load.measure()).plus(load.timeout()).plusSeconds(30));
    }
}
