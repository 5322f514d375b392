package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Verdict;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the gate refuses of a load that several hosts sent, and what it must not refuse. */
class AgentRulesTest {
    private static LatencySummary latency(long count, double millis) {
        long nanos = Math.round(millis * 1e6);
        return new LatencySummary(count, nanos, nanos, nanos, nanos, nanos, nanos, nanos, nanos, nanos);
    }

    private static AgentFigures agent(
            String name, long count, double p50, double late, double error, double moved, double cpu, String lost) {
        return new AgentFigures(
                name,
                count,
                0,
                latency(count, p50),
                late,
                error,
                moved,
                cpu < 0 ? OptionalFigure.empty() : OptionalFigure.of(cpu),
                lost);
    }

    private static AgentFigures fine(String name) {
        return agent(name, 10_000, 10, 0.01, 0.2, 0, 0.4, "");
    }

    private static List<String> rules(AgentFigures... agents) {
        return ValidityGate.judge(GateInput.published().withAgents(List.of(agents))).reasons().stream()
                .map(Verdict.Reason::rule)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        // answers, p50, late, error, moved, cpu
        "10000,  10,    0.01, 0.2,  0,   0.4,  ''",
        "10000,  10,    49,   4.9,  4.9, 0.85, ''",
        "10000,  10,    51,   0.2,  0,   0.4,  agent-late",
        "10000,  10,    0,    5.1,  0,   0.4,  clock-unsure",
        "10000,  10,    0,    0.1,  5.1, 0.4,  clock-unsure",
        "10000,  10,    0,    0.1,  0,   0.86, agent-saturated",
        "10000,  10,    0,    0.1,  0,   -1,   ''",
        "10000,  14.9,  0,    0.1,  0,   0.4,  ''",
        "10000,  15.1,  0,    0.1,  0,   0.4,  agents-disagree",
        "10000,  6.6,   0,    0.1,  0,   0.4,  agents-disagree",
        "99,     150,   0,    0.1,  0,   0.4,  ''",
        "100,    150,   0,    0.1,  0,   0.4,  agents-disagree",
        "0,      0,     0,    0.1,  0,   0.4,  ''"
    })
    void oneOfThree(long count, double p50, double late, double error, double moved, double cpu, String rule) {
        assertThat(rules(fine("a"), agent("b", count, p50, late, error, moved, cpu, ""), fine("c")))
                .isEqualTo(Stream.of(rule).filter(r -> !r.isEmpty()).toList());
    }

    /** A tenth of a millisecond against half of one: the round trip to each host is a part of what it sees. */
    @Test
    void aFractionOfAMillisecondIsTheWayThere() {
        assertThat(rules(agent("a", 10_000, 0.1, 0, 0.1, 0, 0.4, ""), agent("b", 10_000, 1.05, 0, 0.1, 0, 0.4, "")))
                .isEmpty();
        assertThat(rules(agent("a", 10_000, 0.1, 0, 0.1, 0, 0.4, ""), agent("b", 10_000, 1.15, 0, 0.1, 0, 0.4, "")))
                .containsExactly("agents-disagree");
    }

    @Test
    void oneThatWasLostIsNamedAndMayPass() {
        Verdict verdict = ValidityGate.judge(GateInput.published()
                .withAgents(List.of(fine("gen-1"), agent("gen-2", 10_000, 10, 0, 0.1, 0, 0.4, "no answer"))));
        Verdict.Reason reason = verdict.reasons().getFirst();
        assertThat(verdict.reasons()).hasSize(1);
        assertThat(reason.rule()).isEqualTo("agent-lost");
        assertThat(reason.passing()).isTrue();
        assertThat(reason.message()).contains("gen-2").contains("no answer");
    }

    @Test
    void oneGeneratorIsNotJudgedByThem() {
        assertThat(rules()).isEmpty();
        assertThat(rules(fine("a"))).isEmpty();
        assertThat(rules(IntStream.range(0, 8).mapToObj(i -> fine("g" + i)).toArray(AgentFigures[]::new)))
                .isEmpty();
    }
}
