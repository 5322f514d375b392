package dev.fettle.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallersLocaleTest {
    private static Map<String, String> restored(Map<String, String> environment) {
        var changed = new HashMap<>(environment);
        CallersLocale.restore(changed);
        return changed;
    }

    @Test
    void aTargetGetsWhatFettleWasCalledWith() {
        assertThat(restored(Map.of("LC_ALL", "C.UTF-8", "FETTLE_LC_ALL", "", "LANG", "C")))
                .isEqualTo(Map.of("LANG", "C"));
        assertThat(restored(Map.of("LC_ALL", "C.UTF-8", "FETTLE_LC_ALL", "POSIX")))
                .isEqualTo(Map.of("LC_ALL", "POSIX"));
        assertThat(restored(Map.of("LC_ALL", "de_DE.UTF-8"))).isEqualTo(Map.of("LC_ALL", "de_DE.UTF-8"));
    }
}
