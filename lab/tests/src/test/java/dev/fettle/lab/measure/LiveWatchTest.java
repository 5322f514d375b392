package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.LabException;
import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveWatchTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /usr/bin/java | process 7 (java), port 80
            java | process 7 (java), port 80
            / | process 7, port 80
            '' | process 7, port 80
            /opt/caf\u00e9/java | process 7 (java), port 80
            /opt/\u00c3\u00a9 | process 7 (\u00c3\u00a9), port 80
            -bash | process 7 (-bash), port 80
            """)
    void theNameOfAProgramIsAllAfterTheLastSlash(String program, String about) {
        assertThat(LiveWatch.about(7, List.of(program, "-x"), OptionalInt.of(80)))
                .isEqualTo(about);
    }

    @Test
    void theNameOfAProgramIsOneLine() {
        assertThat(LiveWatch.about(7, List.of("/bin/a\n\u001b[2Jb"), OptionalInt.empty()))
                .isEqualTo("process 7 (a  [2Jb)");
        assertThat(LiveWatch.about(7, List.of(), OptionalInt.empty())).isEqualTo("process 7");
    }

    /** Seconds; the last is when it was looked at. */
    @ParameterizedTest
    @CsvSource({"1, 1.01, 2", "5, 5.9, 6", "5, 6.2, 7", "5, 3605.3, 3606"})
    void secondsInWhichItWasStoppedAreLeftOut(long second, double elapsed, long next) {
        assertThat(LiveWatch.next(second, (long) (elapsed * 1e9))).isEqualTo(next);
    }

    /** Its signals would go to the whole process, which prints its threads, again and again. */
    @Test
    void theIdOfAThreadIsRefusedAndItsProcessNamed() {
        long me = ProcessHandle.current().pid();
        long thread = Stream.of(Objects.requireNonNull(new File("/proc/self/task").list()))
                .mapToLong(Long::parseLong)
                .filter(id -> id != me)
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> LiveWatch.open(OptionalLong.of(thread), Optional.empty(), DumpAllowance.usual()))
                .isInstanceOf(LabException.class)
                .hasMessage(thread + " is a thread of process " + me + ": name that one");
        assertThatThrownBy(
                        () -> LiveWatch.open(OptionalLong.of(Long.MAX_VALUE), Optional.empty(), DumpAllowance.usual()))
                .hasMessageContaining("there is no process");
    }
}
