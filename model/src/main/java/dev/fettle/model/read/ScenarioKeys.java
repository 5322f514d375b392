package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.NOT_BOTH;
import static dev.fettle.model.key.Rule.Kind.SOME;

import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.load.Csv;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.load.Scenario.Data;
import dev.fettle.model.load.Scenario.Flow;
import dev.fettle.model.load.Scenario.Order;
import dev.fettle.model.load.Scenario.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What users do: under {@code load.scenario}, or in a file of its own. */
@Section(
        value = "scenario",
        what = "a scenario",
        doc = "What users do: one sequence of steps, or several flows of them.")
@Rule(
        kind = NOT_BOTH,
        keys = "steps flows",
        says = "a scenario has either 'steps' or several 'flows' of them, not both")
@Rule(kind = SOME, keys = "steps flows", says = "a scenario needs 'steps', for example steps: [{name: page, path: /}]")
record ScenarioKeys(
        YamlFields at,

        @Key(value = "The name of a file with a scenario.", alone = true)
        Optional<Path> file,

        @Key(value = "CSV files; each column is a variable.", of = File.class)
        List<Data> data,

        @Key(value = "Fixed values; kept out of journals and reports.", form = Form.VARIABLES)
        Map<String, String> variables,

        @Key("Whether cookies outlive the iteration.") @Default("false")
        boolean keepCookies,

        @Key("Seed of the choice of flows, rows and think times.") @Range(from = "0") @Default("1")
        long seed,

        @Key(value = "The only flow's steps.", form = Form.STEPS)
        List<Step> steps,

        @Key("Several sequences by name; each iteration chooses one.")
        @Names(
                value = StepKeys.NAME,
                says = "a flow's name is up to 60 letters, digits, blanks and ._/:-",
                least = 1,
                tooFew = "flows is empty")
        List<Named<Steps>> flows)
        implements Written<Scenario> {

    @Override
    public Optional<Scenario> value(Reading reading) {
        if (file.isPresent()) {
            return elsewhere(file.get(), reading.problems());
        }
        List<Flow> all = at.has("flows")
                ? flows.stream()
                        .map(f ->
                                new Flow(f.name(), f.value().weight(), f.value().steps()))
                        .toList()
                : at.has("steps") ? List.of(new Flow("main", 1, steps)) : List.of();
        return all.isEmpty() ? Optional.empty() : Optional.of(new Scenario(all, data, variables, keepCookies, seed));
    }

    private static Optional<Scenario> elsewhere(Path file, Problems problems) {
        problems.alsoRead(file);
        try {
            return Optional.of(ScenarioReader.readFile(file));
        } catch (PlanException e) {
            e.problems().forEach(problems::add);
            return Optional.empty();
        }
    }

    /** One of several flows. */
    @Section(value = "flow", what = "flow %s", doc = "A sequence of steps.")
    record Steps(
            @Key("How often it is chosen, compared with the others.") @Range(from = "1", to = "1000000") @Default("1")
            int weight,

            @Key(value = "One after the other.", form = Form.STEPS, required = "[{name: page, path: /}]")
            List<Step> steps) {}

    /** A file of data. */
    @Section(value = "data", doc = "A CSV file; its first row names the columns.")
    record File(
            YamlFields at,

            @Key(value = "Its name, from the plan's folder.", required = "users.csv")
            Path file,

            @Key("Which row an iteration takes: the next over all users, any, or always the user's own.")
            @Default("sequential")
            Order order)
            implements Written<Data> {
        @Override
        public Optional<Data> value(Reading reading) {
            var node = at.get("file").orElseThrow();
            return reading.scalars()
                    .tried(node, "", file.toString(), t -> Csv.read(file))
                    .map(csv -> {
                        csv.columns().forEach(column -> reading.variables().add(node, column));
                        return new Data(file.toString(), order);
                    });
        }
    }
}
