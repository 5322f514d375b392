package dev.fettle.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.read.PlanException;
import dev.fettle.model.read.PlanReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which plans are searched in one warm JVM. */
class WarmSearchTest {
    private static final String TOMCAT = "target: {server: tomcat, app: hello}\n";
    private static final String THREADS = "knobs: {threads.max: {from: 8, to: 400}}\n";

    private static Plan plan(String rest) {
        return new PlanReader(2, 4096).read("plan", "name: p\nload: {connections: 64}\n" + rest);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{server: tomcat, app: hello} | {threads.max: {from: 8, to: 400}} | true",
                "{server: jetty, app: hello} | {threads.max: {from: 8, to: 400}, threads.min: [4, 8]} | false",
                "{server: jetty, app: hello} | {threads.min: [4, 8]} | true",
                "{server: undertow, app: hello} | {threads.max: {from: 8, to: 400}, queue.max: [100, 1000]} | true",
                "{server: tomcat, app: hello} | {threads.max: {from: 8, to: 400}, backlog: [50, 500]} | false",
                "{server: tomcat, app: hello} | {threads.max: {from: 8, to: 400}, jvm.heap: [64m, 128m]} | false",
                "{server: jetty, app: hello} | {threads.selectors: [1, 2]} | false",
                "{url: 'http://127.0.0.1:8080'} | {} | false",
            })
    void whereAllKnobsAreLiveInAnEmbeddedServer(String target, String knobs, boolean warm) {
        String tuned = knobs.equals("{}") ? "" : "knobs: " + knobs + "\n";
        assertThat(WarmSearch.of(plan("target: " + target + "\n" + tuned))).isEqualTo(warm);
    }

    @Test
    void thePlanMayForbidIt() {
        assertThat(WarmSearch.of(plan(TOMCAT + THREADS + "budget: {live: false}\n")))
                .isFalse();
        assertThat(WarmSearch.of(plan(TOMCAT + THREADS + "budget: {live: true}\n")))
                .isTrue();
    }

    @Test
    void notForMemory() {
        String limits = "objective: {minimize: memory, limits: {p99: 1s}}\n";
        assertThat(WarmSearch.of(plan(TOMCAT + THREADS + limits))).isFalse();
    }

    /** A hook of each trial would run once: only if that is asked for. */
    @Test
    void aHookOfEachTrialIsAReasonNotTo() {
        String hooks = "hooks: {before: [{run: ['true']}]}\n";
        assertThat(WarmSearch.of(plan(TOMCAT + THREADS + hooks))).isFalse();
        assertThat(WarmSearch.of(plan(TOMCAT + THREADS + hooks + "budget: {live: true}\n")))
                .isTrue();
        String once = "hooks: {before: [{run: ['true'], scope: run}]}\n";
        assertThat(WarmSearch.of(plan(TOMCAT + THREADS + once))).isTrue();
    }

    @Test
    void whatIsImpossibleCanNotBeForced() {
        assertThat(org.assertj.core.api.Assertions.catchThrowableOfType(
                                PlanException.class,
                                () -> plan(TOMCAT + "knobs: {backlog: [50, 500]}\nbudget: {live: true}\n"))
                        .getMessage())
                .contains("5:16: budget.live is not possible here: backlog takes a new value only at a start of tomcat;"
                        + " leave it out");
    }
}
