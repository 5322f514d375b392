package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What has to be set in a warm JVM: what a start with the setting would give. */
class WarmValuesTest {
    private static final Set<String> LIVE = Set.of("threads.max", "threads.min", "connections.max", "admission.max");

    private static WarmValues tomcat(Setting base) {
        var launched = Map.of("threads.max", "200", "threads.min", "10", "connections.max", "8192");
        return new WarmValues(Optional.of(ServerKind.TOMCAT), launched, base, LIVE);
    }

    @Test
    void whatASettingLeavesAloneGoesBack() throws Exception {
        WarmValues values = tomcat(Setting.DEFAULT);
        assertThat(values.wanted(Setting.DEFAULT)).isEmpty();
        assertThat(values.wanted(Setting.of("connections.max", "100")))
                .containsExactly(Map.entry("connections.max", "100"));
        assertThat(values.wanted(Setting.of("threads.max", "50")))
                .isEqualTo(Map.of("connections.max", "8192", "threads.max", "50", "threads.min", "10"));
        assertThat(values.wanted(Setting.DEFAULT))
                .isEqualTo(Map.of("connections.max", "8192", "threads.max", "200", "threads.min", "10"));
    }

    /** As Tomcat's and Jetty's default is: ten, or the maximum if that is less. */
    @Test
    void theMinimumFollowsASmallerMaximumDownAndUp() throws Exception {
        WarmValues values = tomcat(Setting.DEFAULT);
        assertThat(values.wanted(Setting.of("threads.max", "4"))).containsEntry("threads.min", "4");
        assertThat(values.wanted(Setting.of("threads.max", "400"))).containsEntry("threads.min", "10");
        assertThat(values.wanted(Setting.of(Map.of("threads.max", "4", "threads.min", "2"))))
                .containsEntry("threads.min", "2");
    }

    @Test
    void aFixedPoolOfUndertowStaysFixed() throws Exception {
        var launched = Map.of("threads.max", "16", "threads.min", "16");
        var values = new WarmValues(Optional.of(ServerKind.UNDERTOW), launched, Setting.DEFAULT, LIVE);
        assertThat(values.wanted(Setting.of("threads.max", "64"))).containsEntry("threads.min", "64");
        var held = Setting.of("threads.min", "16");
        values = new WarmValues(Optional.of(ServerKind.UNDERTOW), launched, held, LIVE);
        assertThat(values.wanted(held.with("threads.max", "64"))).doesNotContainKey("threads.min");
    }

    @Test
    void whatTheServerDoesNotTakeOrCanNotGiveBackIsSaid() throws Exception {
        WarmValues values = tomcat(Setting.of("backlog", "50"));
        assertThat(values.wanted(Setting.of("backlog", "50"))).isEmpty();
        assertThatThrownBy(() -> tomcat(Setting.DEFAULT).wanted(Setting.of("backlog", "51")))
                .isInstanceOf(TrialFailure.class)
                .hasMessage("backlog can't be set while the server runs as it was started");
        assertThat(values.wanted(Setting.of("admission.max", "9"))).containsEntry("admission.max", "9");
        assertThatThrownBy(() -> values.wanted(Setting.DEFAULT))
                .isInstanceOf(TrialFailure.class)
                .hasMessage("admission.max can't be put back to its default while the server runs as it was started");
    }
}
