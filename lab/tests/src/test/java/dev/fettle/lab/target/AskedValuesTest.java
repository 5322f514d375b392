package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Setting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A search must know what the server does by default, or it tries that as another setting. */
class AskedValuesTest {
    private static final Map<String, String> TOLD =
            Map.of("threads.max", "200", "compression", "false", "sendfile", "true", "tcp.linger", "-1");

    private static RunningTarget target() {
        var running =
                new RunningTarget(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8123), Optional.empty(), 0);
        running.inForce(TOLD, Setting.DEFAULT);
        return running;
    }

    @Test
    void whatNobodySetAndNobodyAskedForIsNotKept() {
        try (RunningTarget running = target()) {
            assertThat(running.effective()).isEqualTo(Map.of("threads.max", "200"));
        }
    }

    @Test
    void whatATuneSearchesIsKeptThoughItIsLeftAlone() {
        try (RunningTarget running = target()) {
            running.keep(Set.of("compression"), Setting.DEFAULT);
            assertThat(running.effective()).isEqualTo(Map.of("threads.max", "200", "compression", "false"));
        }
    }

    @Test
    void alsoAfterAChange() {
        try (RunningTarget running = target()) {
            running.keep(Set.of("compression"), Setting.DEFAULT);
            running.changed(
                    Map.of("threads.max", "50", "compression", "true", "sendfile", "true"),
                    Setting.of("threads.max", "50"));
            assertThat(running.effective()).isEqualTo(Map.of("threads.max", "50", "compression", "true"));
        }
    }

    @Test
    void anAmountThatTheServerFindsItselfIsNoValue() {
        try (RunningTarget running = target()) {
            running.inForce(Map.of("compression.min", "-1"), Setting.DEFAULT);
            running.keep(Set.of("compression.min"), Setting.DEFAULT);
            assertThat(running.effective()).containsOnlyKeys("threads.max");
        }
    }
}
