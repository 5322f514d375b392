package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Result;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Outcome;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was told as the symptom of a finding that does not stand was seen all the same. */
class RefutedTest {
    private static final double MB = 1 << 20;

    private static DiagnoseConclusion tested(Seen before, Seen after) {
        return DiagnoseExperiment.conclude(before.trial(), Optional.of(after.trial(Phase.TEST, 2)));
    }

    private static Optional<Outcome> outcome(DiagnoseConclusion c, String rule) {
        return c.others().stream()
                .filter(f -> f.rule().equals(rule))
                .findFirst()
                .flatMap(Finding::test)
                .map(Finding.Test::outcome);
    }

    private static Seen collecting() {
        return new Seen()
                .cpu(0.97)
                .gc(0.12)
                .with("jvm.heap", "100m")
                .always("heap.live", 20 * MB)
                .always("heap.max", 100 * MB);
    }

    private static Seen dumped(Seen s) {
        return s.cpu(0.97).sighted("frame", "com.example.Parser.parse", 9, "runs; seen in 9 of 9 looks");
    }

    @Test
    void fullCpusAreToldWhereTheirCauseIsRefuted() {
        assertThat(Diagnosis.of(collecting().trial()).findings())
                .extracting(Finding::rule)
                .containsExactly("allocation");
        DiagnoseConclusion c = tested(collecting(), collecting());
        assertThat(c.bottleneck()).hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("cpu-full"));
        assertThat(c.headline()).isEqualTo("The CPUs are full. Not tested.");
        assertThat(c.others()).singleElement().satisfies(f -> {
            assertThat(f.rule()).isEqualTo("allocation");
            assertThat(f.symptoms()).as("it is a finding of its own now").isEmpty();
        });
        assertThat(outcome(c, "allocation")).hasValue(Outcome.REFUTED);
    }

    @Test
    void callsThatCostNothingLeaveTheFullCpus() {
        DiagnoseConclusion c = tested(new Seen().cpu(0.97).gc(0.06).always("gc.explicit", 1), new Seen().cpu(0.97));
        assertThat(c.bottleneck()).hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("cpu-full"));
        assertThat(outcome(c, "explicit-gc")).hasValue(Outcome.REFUTED);
    }

    /** With twice the clients it gives nearly twice as much: then no method fills the CPUs, nor does anything else. */
    @Test
    void aTrialThatTestsTheNextFindingAsWellJudgesBoth() {
        DiagnoseConclusion c = tested(dumped(new Seen()), dumped(new Seen()).clients(128, 1900, 0.067));
        assertThat(c.result()).isEqualTo(Result.NOTHING_FOUND);
        assertThat(outcome(c, "expensive-method")).hasValue(Outcome.REFUTED);
        assertThat(outcome(c, "cpu-full")).hasValue(Outcome.REFUTED);
        assertThat(c.headline()).startsWith("What was found is not what limits the server");
    }

    @Test
    void whatFollowedFromAPoolFollowsFromWhatLiesBehindIt() {
        DiagnoseConclusion c = tested(
                new Seen().workers(4, 4).errors(ErrorKind.READ_TIMEOUT, 2_000),
                new Seen().workers(8, 8).errors(ErrorKind.READ_TIMEOUT, 2_000));
        assertThat(c.bottleneck()).hasValueSatisfying(f -> {
            assertThat(f.rule()).isEqualTo("behind-the-workers");
            assertThat(f.symptoms()).anyMatch(s -> s.contains("no complete answer in time"));
        });
        assertThat(c.others()).extracting(Finding::rule).containsExactly("workers-full");
        assertThat(c.others().getFirst().symptoms()).isEmpty();
    }

    /** Pauses may be long for want of a CPU. The CPU time is the target's own. */
    @Test
    void whatOthersMayHaveCausedTakesNoSymptomWithIt() {
        DiagnoseConclusion c = DiagnoseExperiment.conclude(
                collecting().reason("disturbed", true).trial(), Optional.empty());
        assertThat(c.bottleneck()).hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("cpu-full"));
        assertThat(c.others()).isEmpty();
    }

    static List<Seen> figures() {
        return List.of(
                collecting().errors(ErrorKind.READ_TIMEOUT, 300).reconnects(9_000),
                dumped(new Seen()).dropped(50).connects(1.02).always("wait.lock", 30),
                new Seen()
                        .workers(4, 4)
                        .always("wait.pool", 3)
                        .always("wait.socket", 1)
                        .connects(1.02),
                new Seen()
                        .over("sockets.closeWait", 10, 100, 200, 300)
                        .always("sockets.established", 100)
                        .always("fds.open", 900)
                        .always("fds.limit", 1024)
                        .workers(4, 4)
                        .errors(ErrorKind.RESET, 300));
    }

    private static Set<String> told(Diagnosis d) {
        return d.findings().stream()
                .flatMap(f -> Stream.concat(Stream.of(f.sentence()), f.symptoms().stream()))
                .collect(TreeSet::new, Set::add, Set::addAll);
    }

    @ParameterizedTest
    @MethodSource("figures")
    void withoutOneFindingAllOthersAreToldStill(Seen seen) {
        Diagnosis d = Diagnosis.of(seen.trial());
        assertThat(told(d)).hasSizeGreaterThan(1);
        for (Finding f : d.findings()) {
            var rest = new TreeSet<>(told(d));
            rest.remove(f.sentence());
            assertThat(told(d.without(f.rule()::equals)))
                    .as("without " + f.rule())
                    .containsAll(rest);
        }
    }
}
