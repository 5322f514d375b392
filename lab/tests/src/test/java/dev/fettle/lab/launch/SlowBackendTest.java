package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.target.Target;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowBackendTest {
    /** The login app gives up on its backend after ten seconds unless it is told otherwise. */
    @ParameterizedTest
    @CsvSource({"0, 10000ms", "50, 10050ms", "12000, 22000ms", "60000, 70000ms"})
    void theAppWaitsLongerThanItsBackendTakes(int delay, String timeout) {
        var backend = new Target.Backend(Duration.ofMillis(delay), 200);
        assertThat(OwnServers.calling(backend, 8081))
                .containsExactly("app.backend=127.0.0.1:8081", "app.backend.timeout=" + timeout);
    }
}
