package dev.fettle.config.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.ConfigException;
import dev.fettle.config.tomcat.Setenv;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A text four times as long takes about four times the CPU time, whatever it holds; none takes a deep stack or memory without bound. What
 * else runs on the machine has no part in the CPU time of a thread.
 */
class HostileTextsTest {
    private static final int ROUNDS = 3;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** A quadratic reader takes sixteen times as long. */
    private static final double MOST = 9;
    /** What takes less than this says nothing, in nanoseconds. */
    private static final double NOTHING = 60e6;

    private interface Reading {
        void of(String text) throws ConfigException;
    }

    @ParameterizedTest
    @CsvSource({
        "setenv.sh, 'case x in\n', 15000",
        "setenv.sh, 'if [ -z a ]; then\n', 15000",
        "notes.md, '```yaml\n```\n', 5000",
        "notes.md, '[', 400000",
        "application.properties, '[', 400000",
        "server.xml, '<!--', 100000",
        "server.xml, '<Connector ', 60000",
        "nginx.conf, 'a {', 200000"
    })
    void anAuditIsLinear(String name, String unit, int times) {
        linear(unit, times, text -> SettingsText.read(name, text));
    }

    @ParameterizedTest
    @CsvSource({"'((\n', 60000", "'false\n', 60000", "'A=1\n', 100000", "'export A\n', 60000", "'$(', 200000"})
    void aStartScriptIsReadInLinearTime(String unit, int times) {
        linear(unit, times, text -> Setenv.read("setenv.sh", text, Map.of()));
    }

    /** Corrections are compared with each other and with the lines around them, so a patch has so many at most. */
    @ParameterizedTest
    @CsvSource({
        "setenv.sh, '-XX:+UseParNewGC ', delete",
        "jvm.options, '-XX:+UseParNewGC\n', name -XX:+UseG1GC",
        "a.sysctl.conf, 'net.core.somaxconn = 5\n', value 7"
    })
    void aPatchHasSoManyCorrectionsAtMost(String name, String unit, String fix) throws ConfigException {
        SettingsText read = SettingsText.read(name, unit.repeat(3000));
        Corrections.Patched patched = Corrections.of(
                read,
                read.settings().stream()
                        .map(s -> new Corrections.Correction(s, fix, "for a reason"))
                        .toList());
        assertThat(read.settings().size()).isEqualTo(3000);
        assertThat(patched.diff().split("for a reason", -1).length).isBetween(1000, 1001);
        assertThat(patched.byHand().size()).isBetween(2000, 2001);
    }

    @Test
    void valuesThatRepeatEachOtherAreBounded() {
        Setenv read = Setenv.read("setenv.sh", "export A=0123456789\n" + "A=\"$A$A\"\n".repeat(40), Map.of());
        assertThat(read.environment().get("A").length()).isLessThanOrEqualTo(128 * 1024);
        assertThat(read.findings()).isNotEmpty();
    }

    private static void linear(String unit, int times, Reading reading) {
        double once = best(unit.repeat(times / 2), reading);
        double fourTimes = best(unit.repeat(2 * times), reading);
        assertThat(fourTimes).isLessThan(NOTHING + MOST * once);
    }

    private static double best(String text, Reading reading) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            long begin = THREADS.getCurrentThreadCpuTime();
            try {
                reading.of(text);
            } catch (ConfigException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
            best = Math.min(best, THREADS.getCurrentThreadCpuTime() - begin);
        }
        return best;
    }
}
