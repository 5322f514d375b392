package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FellSilentTest {
    /** Windows of a second after the warm-up: answers before the slash, failures after it. */
    @ParameterizedTest
    @CsvSource({
        "'9/0 9/0 9/0 0/5 0/5', no valid answer in the last 2.00 s of 5.00 s",
        "'9/0 9/0 9/0 0/5 0/0', no valid answer in the last 2.00 s of 5.00 s",
        "'9/0 9/0 9/0 9/0 0/5', no valid answer in the last 1.00 s of 5.00 s",
        "'9/0 0/5 0/5 0/5 1/5', ''",
        "'9/0 9/0 9/0 9/0 0/0', ''",
        "'9/5 9/5 9/5 9/5 1/99', ''",
        "'9/0 9/0 9/0 9/0 9/0 9/0 9/0 9/0 9/0 9/0 9/0 9/0 0/5', ''",
        "'0/5 0/5', ''",
    })
    void onlyAnEndWithoutAnyAnswerIsSilent(String seconds, String words) {
        var windows = new ArrayList<Window>();
        windows.add(new Window(0, 9, 0, 9, 0, false));
        for (String second : seconds.split(" ")) {
            String[] counts = second.split("/");
            windows.add(new Window(windows.size(), 1, Long.parseLong(counts[0]), Long.parseLong(counts[1]), 0, true));
        }
        assertThat(FellSilent.of(measurement(windows))
                        .map(Verdict.Reason::message)
                        .orElse(""))
                .startsWith(words)
                .satisfies(m -> assertThat(m.isEmpty()).isEqualTo(words.isEmpty()));
    }

    private static Measurement measurement(List<Window> windows) {
        var spec = new TrialSpec(
                TrialSpec.Phase.SWEEP, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, Simulated.load(300));
        Measurement m = Simulated.server(25, 0.05, 0.0002, 1, 300)
                .run(1, spec)
                .measurement()
                .orElseThrow();
        return new Measurement(
                m.elapsed(),
                windows.stream().mapToLong(Window::responses).sum(),
                Map.of(),
                Map.of(),
                m.statuses(),
                m.bytesRead(),
                m.occupied(),
                m.latency(),
                m.connect(),
                0,
                m.connectionsOpen(),
                windows,
                m.histogram(),
                Measurement.Detail.NONE);
    }
}
