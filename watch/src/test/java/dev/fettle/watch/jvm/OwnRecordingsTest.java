package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import jdk.management.jfr.RecordingInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings of a Fettle that is gone are known by their name, and nobody else's are taken for one. */
@Timeout(120)
class OwnRecordingsTest {
    /** No process has this id: it is beyond the kernel's largest. */
    private static final String GONE = "fettle 4194999 7 ";

    private static String namespace() {
        return OwnRecordings.name().split(" ")[3];
    }

    @Test
    void oneWhoseFettleIsGoneIsLeft() {
        var proc = new Proc();
        String again = OwnRecordings.name().replaceFirst(" ([0-9]+) [0-9]+ ", " $1 1 ");
        assertThat(OwnRecordings.isLeft(GONE + namespace(), proc, namespace())).isTrue();
        assertThat(OwnRecordings.isLeft(again, proc, namespace()))
                .as("of an earlier process with this id")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fettle",
                "fettle 4194999",
                "fettle 4194999 7",
                "fettle 4194999 7 1",
                "my fettle 4194999 7 NS",
                "fettle 4194999 7 NS x",
                "fettle  4194999 7 NS",
                "Fettle 4194999 7 NS",
                "fettle -1 7 NS",
                "fettle 99999999999999999999 7 NS",
                "fettle-4194999-7-NS",
                "evening",
                ""
            })
    void anotherIsNot(String name) {
        String here = namespace();
        assertThat(OwnRecordings.isLeft(name.replace("NS", here), new Proc(), here))
                .isFalse();
    }

    @Test
    void itsOwnIsNot() {
        assertThat(OwnRecordings.isLeft(OwnRecordings.name(), new Proc(), namespace()))
                .isFalse();
    }

    public static final class Idle {
        public static void main(String[] arguments) throws Exception {
            System.out.println("up");
            System.in.read();
        }
    }

    @Test
    void attachingClosesThemAndBeginsNoRecorder() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Idle.class.getName())
                .start();
        try {
            assertThat(jvm.inputReader().readLine()).isEqualTo("up");
            List<String> names = List.of(GONE + namespace(), GONE + "1", "evening");
            try (var running = RunningJvm.attach(jvm.pid())) {
                assertThat(running.recordingsClosed()).isZero();
                assertThat(running.threadNames())
                        .as("asking alone starts nothing")
                        .noneMatch(n -> n.startsWith("JFR"));
                for (String name : names) {
                    long id = running.recorder().newRecording();
                    running.recorder().setRecordingOptions(id, new TreeMap<>(java.util.Map.of("name", name)));
                    running.recorder().startRecording(id);
                }
            }
            try (var again = RunningJvm.attach(jvm.pid())) {
                assertThat(again.recordingsClosed()).isEqualTo(1);
                assertThat(OwnRecordings.areLeft(again)).isFalse();
                assertThat(again.recorder().getRecordings())
                        .extracting(RecordingInfo::getName)
                        .containsExactlyInAnyOrder(GONE + "1", "evening");
            }
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }
}
