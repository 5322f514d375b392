package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.trials.Overload;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverloadTest {
    private static final Slo SLO = Slo.parse("p99<50ms");

    /** A letter a window of half a second: g(ood), s(low), e(rrors), n(othing). */
    private static List<Slice> windows(String letters) {
        var all = new ArrayList<Slice>();
        for (int i = 0; i < letters.length(); i++) {
            all.add(window(0.5 * i, 0.5, letters.charAt(i)));
        }
        return all;
    }

    private static Slice window(double at, double seconds, char letter) {
        long n = letter == 'n' ? 0 : Math.round(100 * seconds);
        long failed = letter == 'e' ? 10 : 0;
        long ns = letter == 's' ? 80_000_000 : n == 0 ? 0 : 20_000_000;
        return new Slice(
                at,
                seconds,
                n,
                letter == 's' ? 0 : n,
                failed,
                0,
                letter == 's' ? 5 : 0,
                failed == 0 ? Map.of() : Map.of(ErrorKind.READ_TIMEOUT, 8L, ErrorKind.STATUS, 2L),
                new LatencySummary(n, ns, ns, ns, ns, ns, ns, ns, ns, ns));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        // the spike ends at 2 s, after four windows
        "ggssgggg,   0",
        "ggssssgggg, 1",
        "ggssegggsgggg, 2.5",
        "ggssgggnggggs, 2",
        "ggssggg,    -1",
        "ggssssssss, -1",
        "ggssgssggeggssgggg, 5",
        "ggggggss,   -1",
    })
    void itIsBackWithTheFirstOfFourGoodWindowsInARow(String letters, double seconds) {
        OptionalFigure expected = seconds < 0 ? OptionalFigure.empty() : OptionalFigure.of(seconds);
        assertThat(Overload.recovery(windows(letters), 2, SLO)).isEqualTo(expected);
    }

    @Test
    void windowsThatTheSpikeReachesIntoDoNotCount() {
        // the spike ends in the middle of the third window
        assertThat(Overload.recovery(windows("gggggggg"), 1.25, SLO)).isEqualTo(OptionalFigure.of(0.25));
    }

    private static OverloadResult result(char before, char during, char after, String letters) {
        return Overload.result(
                SLO, 70, 200, window(0, 1, before), window(1, 1, during), window(2, 4, after), windows(letters), false);
    }

    @Test
    void theHeadlineTellsGoodputErrorsAndRecovery() {
        assertThat(result('g', 'e', 's', "ggesssgggg").headline())
                .isEqualTo(
                        "Offered 200/s for 1.00 s, it gave 100 good answers a second; 9.1 % of the attempts failed, most of"
                                + " them by read timeout. It met p99<50ms,errors<0.1% again 1.00 s after the spike.");
        assertThat(result('g', 's', 's', "ggssssssss").headline())
                .contains("it gave 0 good answers a second and no errors")
                .contains("Back at 70.0/s it did not meet p99<50ms,errors<0.1% again within the 4.00 s watched");
    }

    @Test
    void aSpikeThatTheGeneratorSpoiltSaysSoFirst() {
        OverloadResult r = result('g', 'e', 's', "ggesssgggg");
        assertThat(Overload.judged(r, Verdict.VALID, false)).isEqualTo(r);
        var late = new Verdict(List.of(new Verdict.Reason("send-lag", "the generator was late", true)));
        assertThat(Overload.judged(r, late, false).headline())
                .isEqualTo(
                        "The spike is void: the generator was late. Offered 200/s for 1.00 s, it gave 100 good answers a"
                                + " second; 9.1 % of the attempts failed, most of them by read timeout.");
        assertThat(r.recovery().optional()).isPresent();
        assertThat(Overload.judged(r, late, false).recovery().optional())
                .as("nor from what came after")
                .isEmpty();
        OverloadResult slow = result('s', 's', 's', "ssssssss");
        assertThat(slow.notes()).isNotEmpty();
        assertThat(Overload.judged(slow, late, false)).satisfies(v -> {
            assertThat(v.notes()).as("nothing is concluded from it").isEmpty();
            assertThat(v.voided()).hasValue("the generator was late");
        });
    }

    @Test
    void whatIsOfferedInIterationsIsNotComparedWithAnswersUnnamed() {
        assertThat(Overload.judged(
                                result('g', 'e', 's', "ggesssgggg"),
                                new Verdict(List.of(new Verdict.Reason("send-lag", "late", true))),
                                true)
                        .headline())
                .contains("Offered 200 iterations/s for 1.00 s, it gave 100 good answers a second");
    }

    /** A stall before the spike, and good windows after it. */
    @Test
    void aRecoveryIsNotDeniedThatTheHeadlineTells() {
        OverloadResult r = result('s', 's', 'g', "ssssgggg");
        assertThat(r.headline()).contains("as soon as the spike was over");
        assertThat(r.notes()).anyMatch(n -> n.endsWith("so that it was met after it may be chance."));
    }

    @Test
    void whatIsNoOverloadIsSaidToBeNone() {
        assertThat(result('g', 'g', 'g', "gggggggg").notes())
                .containsExactly("The SLO was met during the spike: that was no overload.");
        assertThat(result('s', 's', 's', "ssssssss").notes())
                .anyMatch(n ->
                        n.endsWith("not met before the spike either, so nothing shows how soon the server recovers."))
                .anyMatch(n -> n.contains("5 arrivals of the spike found no free connection"));
    }
}
