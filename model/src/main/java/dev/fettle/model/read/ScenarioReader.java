package dev.fettle.model.read;

import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import java.nio.file.Path;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Reads scenarios from separate files, with the keys of a plan's {@code load.scenario}. */
public final class ScenarioReader {
    private ScenarioReader() {}

    /**
     * Reads a scenario from a separate YAML file, as for {@code fettle bench --scenario FILE}. Paths of data files are relative
     * to its folder; the files are read once to report mistakes before a run.
     *
     * @throws PlanException with all mistakes, each with file, line and column
     */
    public static Scenario readFile(Path file) {
        var problems = new Problems(file.toString());
        Optional<Node> root =
                new YamlTree(problems, "the scenario is empty: it needs steps or flows").read(PlanReader.text(file));
        problems.throwIfAny();
        YamlFields fields = YamlFields.open(root.orElseThrow(), "a scenario", new Problems(""));
        if (fields.has("target")) {
            problems.add(
                    fields.node(),
                    "this is a plan, not a scenario: a scenario's file holds what a plan has under load.scenario (steps, flows, data)");
        } else if (!(root.get() instanceof MappingNode)) {
            YamlFields.open(root.get(), "a scenario", problems);
        }
        problems.throwIfAny();
        var reading = new Reading(problems, PlanReader.folder(file), OwnConfiguration.UNREAD, Load.OPEN_CONNECTIONS);
        Optional<Scenario> scenario = reading.read(ScenarioKeys.class, root.get(), "scenario");
        problems.throwIfAny();
        return scenario.orElseThrow();
    }
}
