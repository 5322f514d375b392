package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Shortfall;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Earlier;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.read.PlanReader;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which earlier runs count as the same thing. */
class EarlierRunsTest {
    private static final Map<String, String> MACHINE = Map.of("cpuModel", "A", "memory", "8 GiB", "fettleVersion", "1");
    private static final Setting HELD = Setting.of("backlog", "512");

    @TempDir
    Path folder;

    private static Plan plan(String from, String to) {
        String yaml = """
                name: mine
                target: {server: tomcat, app: login, options: {cpu: 1ms}}
                load: {connections: 50, measure: 5s}
                hold: {backlog: 512}
                knobs: {threads.max: {from: 8, to: 100}}
                objective: {maximize: throughput}
                budget: {trials: 8, time: 9m}
                seed: 1
                """;
        assertThat(yaml).contains(from);
        return new PlanReader(2, 4096).read("mine", yaml.replace(from, to));
    }

    private static Plan plan() {
        return plan("name: mine", "name: mine");
    }

    /** A finished tune of a plan whose duel was held with so many threads; without a number, there was no duel. */
    private static void tuned(Journal journal, Plan plan, String threads, Map<String, String> machine)
            throws LabException {
        tuned(journal, plan, threads, machine, List.of());
    }

    private static void tuned(
            Journal journal, Plan plan, String threads, Map<String, String> machine, List<Shortfall> missing)
            throws LabException {
        String id = journal.begin("tune", Path.of("p.yaml"), "x", Redaction.of(plan), machine, Instant.EPOCH)
                .id();
        boolean duel = !threads.isEmpty();
        journal.conclude(
                id,
                new TuneConclusion(
                        duel ? TuneConclusion.Result.IMPROVED : TuneConclusion.Result.NO_IMPROVEMENT_SHOWN,
                        "",
                        HELD,
                        duel ? HELD.with("threads.max", threads) : HELD,
                        Optional.empty(),
                        Optional.empty(),
                        1.01,
                        duel ? List.of(new TuneConclusion.Pair(0, 1, 2, 3, 4, 0, 0)) : List.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        missing,
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        List.of()));
    }

    /** What crashed in its duel, or gave other answers, was not found to be good for anything. */
    @Test
    void whatFailedInItsDuelIsNotTriedFirst() throws LabException {
        try (Journal journal = journal()) {
            tuned(journal, plan(), "10", MACHINE, List.of(new Shortfall.Bound(1.01)));
            tuned(journal, plan(), "40", MACHINE, List.of(new Shortfall.Failed("crashed", 2, 2, Optional.empty())));
            tuned(journal, plan(), "20", MACHINE, List.of(new Shortfall.Answers("other")));

            assertThat(EarlierRuns.find(journal, plan(), MACHINE).settings())
                    .containsExactly(HELD.with("threads.max", "10"));
        }
    }

    /** Its values go into commands, and the journal may be somebody else's. */
    @ParameterizedTest
    @CsvSource({"10; touch x", "$(touch x)", "010", "1e1"})
    void aValueThatNoTrialCanHaveIsNotTriedFirst(String value) throws LabException {
        try (Journal journal = journal()) {
            tuned(journal, plan(), value, MACHINE);
            assertThat(EarlierRuns.find(journal, plan(), MACHINE).settings()).isEmpty();
            tuned(journal, plan(), "11", MACHINE);
            assertThat(EarlierRuns.find(journal, plan(), MACHINE).settings())
                    .containsExactly(HELD.with("threads.max", "11"));
        }
    }

    /** A damaged run is none of this run's business. */
    @Test
    void whatCannotBeReadIsPassedOver() throws Exception {
        try (Journal journal = journal()) {
            for (String threads : List.of("10", "40", "20")) {
                tuned(journal, plan(), threads, MACHINE);
            }
            try (var db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("journal.db"));
                    var s = db.createStatement()) {
                s.execute("UPDATE run SET plan = '{broken' WHERE sequence = 3");
                s.execute("UPDATE run SET conclusion = '{broken' WHERE sequence = 2");
            }
            assertThat(EarlierRuns.find(journal, plan(), MACHINE).settings())
                    .containsExactly(HELD.with("threads.max", "10"));
        }
    }

    private Journal journal() throws LabException {
        return Journal.open(folder.resolve("journal.db"));
    }

    @Test
    void theNewestTwoThatFoundSomethingAreTaken() throws LabException {
        try (Journal journal = journal()) {
            for (String threads : List.of("10", "40", "20", "20", "")) {
                tuned(journal, plan(), threads, MACHINE);
            }
            journal.begin("tune", Path.of("p.yaml"), "x", plan(), MACHINE, Instant.EPOCH); // not finished

            Earlier found = EarlierRuns.find(journal, plan(), MACHINE);

            assertThat(found.settings())
                    .containsExactly(HELD.with("threads.max", "20"), HELD.with("threads.max", "40"));
            assertThat(found.runs()).containsExactly("mine-4", "mine-3", "mine-2");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: mine|name: other|true",
                "seed: 1|seed: 2|true",
                "trials: 8, time: 9m|trials: 5, time: 1m|true",
                "cpu: 1ms|cpu: 2ms|false",
                "server: tomcat|server: jetty|false",
                "connections: 50|connections: 51|false",
                "backlog: 512|backlog: 513|false",
                "to: 100|to: 99|false",
                "maximize: throughput|minimize: p99|false"
            })
    void onlyTheSameQuestionCounts(String from, String to, boolean same) throws LabException {
        try (Journal journal = journal()) {
            tuned(journal, plan(), "20", MACHINE);

            assertThat(EarlierRuns.find(journal, plan(from, to), MACHINE).settings())
                    .hasSize(same ? 1 : 0);
        }
    }

    @Test
    void anotherMachineDoesNotCountAndAnotherFettleDoes() throws LabException {
        try (Journal journal = journal()) {
            tuned(journal, plan(), "20", MACHINE);

            assertThat(EarlierRuns.find(
                            journal, plan(), Map.of("cpuModel", "A", "memory", "8 GiB", "fettleVersion", "2")))
                    .isNotEqualTo(Earlier.NONE);
            assertThat(EarlierRuns.find(
                            journal, plan(), Map.of("cpuModel", "A", "memory", "9 GiB", "fettleVersion", "1")))
                    .isEqualTo(Earlier.NONE);
        }
    }

    @Test
    void whatWasTakenIsInTheJournal() throws LabException {
        try (Journal journal = journal()) {
            tuned(journal, plan(), "20", MACHINE);
            Plan warm = plan().with(EarlierRuns.find(journal, plan(), MACHINE));
            String id = journal.begin("tune", Path.of("p.yaml"), "x", Redaction.of(warm), MACHINE, Instant.EPOCH)
                    .id();

            assertThat(journal.find(id).orElseThrow().plan().earlier())
                    .isEqualTo(warm.earlier())
                    .isNotEqualTo(Earlier.NONE);
        }
    }
}
