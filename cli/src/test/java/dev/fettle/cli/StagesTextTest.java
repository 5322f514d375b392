package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.cli.option.StagesText;
import dev.fettle.load.api.Arrivals.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StagesTextTest {
    @Test
    void constantRampSilenceAndBurst() {
        assertThat(StagesText.parse("100/s:10s, 100/s..2000/s:1m ,0:5s,500/s:10s:burst=50")
                        .all())
                .containsExactly(
                        new Stage(100, 100, Duration.ofSeconds(10), 1),
                        new Stage(100, 2000, Duration.ofMinutes(1), 1),
                        new Stage(0, 0, Duration.ofSeconds(5), 1),
                        new Stage(500, 500, Duration.ofSeconds(10), 50));
        assertThat(StagesText.parse("0..1.5k/s:500ms").all())
                .containsExactly(new Stage(0, 1500, Duration.ofMillis(500), 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|stage 1",
                "100/s|RATE[..RATE]:TIME",
                "100/s:10s,|stage 2",
                "100/s:10|unit",
                "100/s:0s|over 0",
                "fast:10s|not a rate",
                "1..2..3:10s|RATE..RATE",
                "100/s:10s:50|burst=N",
                "100/s:10s:burst=0|1 to 1000000",
                "100/s:10s:burst=2:3|RATE[..RATE]:TIME",
                "0:10s, 0/s:1s|nothing would be sent",
            })
    void mistakesSayWhatWouldBeRight(String text, String words) {
        assertThatThrownBy(() -> StagesText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }
}
