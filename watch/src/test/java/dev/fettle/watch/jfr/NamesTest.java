package dev.fettle.watch.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Profile;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {
    @ParameterizedTest
    @CsvSource({
        "[B, byte[]",
        "[[I, int[][]",
        "[Ljava.lang.String;, java.lang.String[]",
        "java.lang.String, java.lang.String",
        "[, ["
    })
    void arraysAsInSource(String name, String words) {
        assertThat(RecordingReader.arrays(name)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "shop.Server$$Lambda/0x000000006f05f088, shop.Server$$Lambda",
        "shop.Server$$Lambda$17/0x0000000800c8c000, shop.Server$$Lambda",
        "java.lang.invoke.LambdaForm$MH.0x000000003e184800, java.lang.invoke.LambdaForm$MH",
        "shop.Server$1, shop.Server$1"
    })
    void aHiddenClassHasTheSameNameInEveryRun(String name, String plain) {
        assertThat(RecordingReader.plain(name)).isEqualTo(plain);
    }

    @Test
    void waitsOfAMillisecondAreRecordedAndOldJvmsAllocationsToo() {
        var all = RecordingSettings.of(EnumSet.allOf(Profile.Kind.class), 25);
        assertThat(all)
                .containsEntry("jdk.JavaMonitorEnter#threshold", "1 ms")
                .containsEntry("jdk.ThreadPark#threshold", "1 ms")
                .containsEntry("jdk.SocketRead#throttle", "off")
                .containsEntry("jdk.VirtualThreadPinned#threshold", "1 ms")
                .containsKey("jdk.JavaExceptionThrow#enabled")
                .doesNotContainKey("jdk.ObjectAllocationInNewTLAB#enabled");
        assertThat(RecordingSettings.of(EnumSet.of(Profile.Kind.ALLOC), 11))
                .containsKey("jdk.ObjectAllocationInNewTLAB#enabled")
                .doesNotContainKeys("jdk.JavaExceptionThrow#enabled", "jdk.ThreadPark#enabled");
    }
}
