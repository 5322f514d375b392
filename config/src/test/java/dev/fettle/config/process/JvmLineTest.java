package dev.fettle.config.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JvmLineTest {
    private static Setting read(String line) {
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
        assertThat(read(flags)).hasToString(setting);
    }

    @Test
    void allElseIsLeftAlone() {
        assertThat(read("-Dapp.heap=-Xmx1g -server -Xmx1g -Xms1g -Xlog:gc -XX:+UseEpsilonGC -Dx=y"))
                .hasToString("jvm.heap=1g");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx1g", "-Xms1g -Xmx2g", "-XX:ParallelGCThreads=none"})
    void whatIsNoKnobsValueIsNone(String flags) {
        assertThat(read(flags).isDefault()).isTrue();
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
