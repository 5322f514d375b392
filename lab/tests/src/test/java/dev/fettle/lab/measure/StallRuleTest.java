package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.measure.StallRule.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StallRuleTest {
    /** Windows of a second, each with its responses; ten requests are under way. */
    private static List<Reason> given(boolean steady, int... responses) {
        var rule = new StallRule(steady);
        var all = new ArrayList<Reason>();
        for (int n : responses) {
            rule.add(1, n, 10).ifPresent(all::add);
        }
        return all;
    }

    @Test
    void aHangAndAFallAreToldOnce() {
        assertThat(given(true, 100, 0, 0, 0, 0)).containsExactly(Reason.HANGS);
        assertThat(given(true, 0, 0, 0)).as("it has never answered").containsExactly(Reason.HANGS);
        assertThat(given(true, 100, 100, 100, 100, 49, 40, 40)).containsExactly(Reason.HALVED);
        assertThat(given(true, 100, 100, 100, 100, 30, 0, 0)).containsExactly(Reason.HALVED, Reason.HANGS);
    }

    /** Two workers of two hundred that wait for each other do not make it slower. */
    @Test
    void aDeadlockIsToldOnceWithoutAFall() {
        var rule = new StallRule(true);
        rule.add(1, 100, 10);
        assertThat(rule.deadlocked(0)).isEmpty();
        assertThat(rule.deadlocked(2)).hasValue(Reason.DEADLOCKED);
        assertThat(rule.deadlocked(4)).isEmpty();
        assertThat(rule.add(2, 0, 10)).as("a reason of its own").hasValue(Reason.HANGS);
    }

    @Test
    void whatIsNearIsNot() {
        assertThat(given(true, 100, 0, 100, 0, 100)).isEmpty();
        assertThat(given(true, 0, 100, 0, 100)).isEmpty();
        assertThat(given(true, 100, 100, 100, 100, 51, 51, 51)).isEmpty();
        assertThat(given(true, 100, 100, 100, 10))
                .as("too soon to know its rate")
                .isEmpty();
        assertThat(given(false, 100, 100, 100, 100, 100, 10))
                .as("the load itself may fall")
                .isEmpty();
        assertThat(given(true, 10, 10, 10, 10, 300, 10))
                .as("one window was faster")
                .isEmpty();
        var idle = new StallRule(true);
        idle.add(1, 100, 10);
        assertThat(idle.add(5, 0, 0)).as("nothing was asked").isEmpty();
    }
}
