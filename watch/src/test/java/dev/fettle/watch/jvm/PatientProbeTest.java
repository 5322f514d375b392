package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PatientProbeTest {
    private static final OptionalFigure UNKNOWN = OptionalFigure.empty();

    /** Its glances stand still until they are let go. */
    private static final class Still implements WorkerProbe {
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public Optional<Sample> sample() {
            return Optional.of(new Sample(OptionalFigure.of(1), UNKNOWN, UNKNOWN, OptionalFigure.of(70)));
        }

        @Override
        public Optional<Sample> glance() {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Optional.of(new Sample(OptionalFigure.of(2), UNKNOWN, UNKNOWN, UNKNOWN));
        }

        @Override
        public void close() {}
    }

    private static WorkerProbe.Sample after(Function<WorkerProbe, Optional<WorkerProbe.Sample>> look) {
        var still = new Still();
        var probe = new PatientProbe(still, new CallTimeout<>(Duration.ofMillis(20), CallTimeout.asker()));
        assertThat(probe.glance()).isEmpty();
        still.goOn.countDown();
        Optional<WorkerProbe.Sample> seen = look.apply(probe);
        while (seen.isEmpty()) {
            seen = look.apply(probe); // a full machine may need longer
        }
        return seen.get();
    }

    /** The time in collections is asked for at the end of a stretch, just when a JVM may have stood still. */
    @Test
    void theLateAnswerToAGlanceIsNoWholeSample() {
        assertThat(after(WorkerProbe::sample).gcMillis().optional()).hasValue(70);
        assertThat(after(WorkerProbe::collections).gcMillis().optional()).hasValue(70);
        assertThat(after(WorkerProbe::collections).busy().optional()).isEmpty();
    }
}
