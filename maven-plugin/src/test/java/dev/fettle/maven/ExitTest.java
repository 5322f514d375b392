package dev.fettle.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExitTest {
    @ParameterizedTest
    @EnumSource(Goal.class)
    void onlyZeroPasses(Goal goal) {
        assertThatCode(() -> Exit.judge(goal, 0)).doesNotThrowAnyException();
        for (int code = 1; code < 256; code++) {
            int c = code;
            assertThat(catchThrowable(() -> Exit.judge(goal, c)))
                    .as("exit code %d", code)
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"4", "5", "6"})
    void whatWasMeasuredIsAFailure(int code) {
        assertThat(catchThrowable(() -> Exit.judge(Goal.GATE, code)))
                .isInstanceOf(MojoFailureException.class)
                .hasMessageContaining("exit code " + code);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "130", "137", "143", "-1"})
    void whatWasNotIsAnError(int code) {
        assertThat(catchThrowable(() -> Exit.judge(Goal.GATE, code))).isInstanceOf(MojoExecutionException.class);
    }

    @Test
    void whatCantBeToldNamesTheWayOn() {
        assertThat(catchThrowable(() -> Exit.judge(Goal.GATE, 6))).hasMessageContaining("<cantTell>");
    }
}
