package dev.fettle.config.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmLineTest {
    private static JvmLine read(String line) {
        return JvmLine.read(List.of(line.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "-Xms1024m -Xmx1G|jvm.heap=1g",
                "-XX:InitialHeapSize=1g -XX:MaxHeapSize=1g|jvm.heap=1g",
                "-Xmx2g -Xms1g -Xmx1g|jvm.heap=1g",
                "-XX:+UseZGC|jvm.gc=z",
                "-XX:+UseParallelGC -XX:ParallelGCThreads=2|jvm.gc=parallel jvm.gc.threads=2",
                "-XX:MaxGCPauseMillis=50|jvm.gc.pause=50",
                "-XX:-UseCompressedOops|jvm.oops.compressed=false",
                "-XX:+DisableExplicitGC|jvm.gc.explicit=false",
                "-Xss768k|jvm.stack=768k",
                "-XX:ThreadStackSize=768|jvm.stack=768k",
                "-Djdk.virtualThreadScheduler.parallelism=4|jvm.vthreads.parallelism=4",
                "-XX:+UseStringDeduplication|jvm.strings.deduplicate=true",
                "-XX:+AlwaysPreTouch -XX:-AlwaysPreTouch|jvm.heap.pretouch=false",
            })
    void flagsAreKnobs(String flags, String setting) {
        JvmLine line = read(flags);

        assertThat(line.setting()).hasToString(setting);
        assertThat(line.rest()).isEmpty();
        assertThat(line.findings()).isEmpty();
    }

    @Test
    void allElseIsKeptInItsOrder() {
        JvmLine line = read("-Dapp.heap=-Xmx1g -server -Xmx1g -Xms1g -Xlog:gc -XX:+UseEpsilonGC -Dx=y");

        assertThat(line.setting()).hasToString("jvm.heap=1g");
        assertThat(line.rest())
                .containsExactly("-Dapp.heap=-Xmx1g", "-server", "-Xlog:gc", "-XX:+UseEpsilonGC", "-Dx=y");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-Xmx1g|-Xmx1g: jvm.heap stands for more than this; kept as it is",
                "-Xms1g -Xmx2g|-Xms1g -Xmx2g: jvm.heap would be one value for all of them; kept as they are",
                "-XX:ParallelGCThreads=none|-XX:ParallelGCThreads=none: jvm.gc.threads is a whole number",
            })
    void whatIsNoKnobsValueIsKeptAndSaid(String flags, String words) {
        JvmLine line = read(flags);

        assertThat(line.setting().isDefault()).isTrue();
        assertThat(line.rest()).containsExactly(flags.split(" "));
        assertThat(line.findings()).singleElement().asString().startsWith(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jvm.gc|z|-XX:+UseG1GC -Dx=y -XX:+UseSerialGC|-Dx=y -XX:+UseZGC",
                "jvm.heap|1g|-Xmx2g -Dx=y|-Dx=y -Xms1g -Xmx1g",
                "jvm.heap.percent|50|-Xms1g -Xmx1g -Dx=y|-Dx=y -XX:MaxRAMPercentage=50",
                "threads.max|50|-Xmx2g|-Xmx2g",
            })
    void aSettingMakesRoomForItself(String knob, String value, String flags, String wanted) {
        assertThat(JvmLine.with(List.of(flags.split(" ")), Setting.of(knob, value)))
                .containsExactly(wanted.split(" "));
    }
}
