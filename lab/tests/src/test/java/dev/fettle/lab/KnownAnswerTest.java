package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Experiments with real servers of which the answer is known. What a request takes is a sleep, whatever the machine does. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class KnownAnswerTest {
    private static final String FINE = "fine";

    @TempDir
    Path folder;

    private List<TrialOutcome> trials = List.of();
    /** Whether the gate saw the machine, or the generator, held up in any of them. */
    private boolean disturbed;

    /** A server whose requests take so long, with as many threads as the setting says, or else so many. */
    private static Target sleeping(String threads, int millis) {
        return new Target.Command(
                List.of(
                        List.of("{java}"),
                        List.of("{jvm}"),
                        List.of("-cp"),
                        List.of(System.getProperty("java.class.path")),
                        List.of(SleepingServer.class.getName()),
                        List.of(threads),
                        List.of(Integer.toString(millis)),
                        List.of("{port}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("pool-"),
                Map.of("threads.max", "8"),
                new Target.Jvm(Optional.empty(), List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")));
    }

    /** Of clients that wait, so that a busy machine makes answers late and not wrong. */
    private static Load load(int connections, Duration measure) {
        Load l = Fixtures.patient(connections, FINE);
        return l.with()
                .measure(measure)
                .arrivals(Arrivals.Closed.BACK_TO_BACK)
                .wire(Wire.PLAIN)
                .scenario(Optional.empty())
                .build();
    }

    private static Plan plan(Target target, Load load, Optional<Plan.Sweep> sweep, Optional<Plan.Compare> compare) {
        return Plan.of("known", target, load)
                .with()
                .objective(Objective.unnamed(load.arrivals(), Optional.empty()))
                .sweep(sweep)
                .compare(compare)
                .seed(7)
                .build();
    }

    /**
     * Runs it to its end. Whether the machine is quiet enough for fine differences is not asked here: what is void for a reason
     * that may pass counts, and there are no fine differences. Nor is a sleep quicker after a longer warm-up.
     */
    private Conclusion run(Plan plan, Experiment experiment) throws Exception {
        var silent = new LabListener() {};
        try (Journal journal = Journal.open(folder.resolve("journal.db"));
                var runner = Fixtures.runner(Fixtures.environment(folder), folder, silent)) {
            String kind = plan.sweep()
                    .map(_ -> "sweep")
                    .or(() -> plan.compare().map(_ -> "compare"))
                    .orElse("tune");
            RunRecord run = journal.begin(kind, Path.of("known.yaml"), "", plan, Map.of(), Instant.EPOCH);
            return new Lab(runner, journal, silent).run(run.id(), undisturbed(experiment));
        }
    }

    private Experiment undisturbed(Experiment of) {
        return new Experiment() {
            @Override
            public Step next(List<TrialOutcome> seen) {
                disturbed = seen.stream()
                        .flatMap(o -> o.verdict().reasons().stream())
                        .anyMatch(Verdict.Reason::passing);
                trials = seen.stream().map(KnownAnswerTest::withoutWhatPasses).toList();
                return of.next(trials);
            }
        };
    }

    /** The answers per second of that trial among some which the machine disturbed least. */
    private double best(Predicate<TrialSpec> some) {
        return trials.stream()
                .filter(o -> some.test(o.spec()))
                .mapToDouble(o -> o.measurement().orElseThrow().throughput())
                .max()
                .orElseThrow();
    }

    private static TrialOutcome withoutWhatPasses(TrialOutcome o) {
        return o.withVerdict(new Verdict(o.verdict().reasons().stream()
                .filter(r -> !r.passing() && !r.rule().equals(SteadyState.WARM_UP_RULE))
                .toList()));
    }

    @Test
    void aSweepOfThePoolFindsThatFourTimesTheThreadsGiveFourTimesTheThroughput() throws Exception {
        var grid = List.of(new Dimension("threads.max", List.of("2", "8")));
        Plan plan = plan(
                sleeping("{threads.max}", 300),
                load(16, Duration.ofSeconds(3)),
                Optional.of(new Plan.Sweep(grid, 3)),
                Optional.empty());
        var found = (SweepConclusion) run(plan, new SweepExperiment(plan));
        assertThat(found.cells()).allSatisfy(c -> assertThat(c.problems()).isEmpty());
        // no thread answers more often than every 300 ms; both ends of what is measured may hold one answer more of
        // each
        double two = best(s -> s.setting().get("threads.max").equals(Optional.of("2")));
        double eight = best(s -> s.setting().get("threads.max").equals(Optional.of("8")));
        assertThat(two).isLessThan(1.2 * 2 / 0.300);
        assertThat(eight).isLessThan(1.2 * 8 / 0.300);
        // on a machine that stands still for seconds an interval of three may hold everything; what four times the
        // threads can do is in the trial that it left alone, and each of two threads may have been held up in all of
        // theirs
        assertThat(eight / two).isBetween(disturbed ? 1.5 : 2.0, disturbed ? 4 * 4.0 : 5.0);
        assertThat(found.headline())
                .startsWith("Best: threads.max=8")
                .contains(disturbed ? "threads.max=2" : " times the next, threads.max=2");
    }

    @Test
    void aComparisonShowsThatRequestsOf150MillisecondsGiveMoreThanThoseOf1200() throws Exception {
        var variants = List.of(
                new Variant("slow", sleeping("8", 1200), Setting.DEFAULT),
                new Variant("quick", sleeping("8", 150), Setting.DEFAULT));
        Plan plan = plan(
                sleeping("8", 1200),
                load(16, Duration.ofSeconds(3)),
                Optional.empty(),
                Optional.of(new Plan.Compare(variants, List.of(), 4, Optional.empty(), false, Optional.empty())));
        var found = (CompareConclusion) run(plan, new CompareExperiment(plan));
        var contrast = found.conditions().getFirst().contrasts().getFirst();
        assertThat(contrast.pairs()).isEqualTo(4);
        double slow = best(s -> s.variant().equals("slow"));
        double quick = best(s -> s.variant().equals("quick"));
        // a slice of 1.5 s holds the ends of two of a thread's requests at most, and of eleven short ones
        assertThat(slow).isLessThan(1.01 * 2 * 8 / 1.5);
        assertThat(quick).isLessThan(1.2 * 8 / 0.150);
        assertThat(quick).isGreaterThan(slow);
        assertThat(contrast.ratio().estimate()).isLessThan(disturbed ? 1 : 0.5);
        // a machine that stands still for seconds leaves four pairs that show nothing; then nothing is claimed
        assertThat(disturbed || contrast.differenceShown()).as(found.headline()).isTrue();
        if (contrast.differenceShown()) {
            assertThat(found.headline()).startsWith("quick gives ").contains(" times the throughput of slow");
        } else {
            assertThat(found.headline()).startsWith("No difference shown: slow over quick is ");
        }
    }
}
