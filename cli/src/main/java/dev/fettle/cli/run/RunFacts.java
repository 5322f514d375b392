package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.launch.TargetParts;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What must stay as it was for a run to be resumed: the machine, the program under test, and the files that the plan reads. */
final class RunFacts {
    /** Before the name of a part, by which its digest is noted. */
    private static final String PART = "part.";

    private RunFacts() {}

    /**
     * The facts that are journalled with a run.
     *
     * @param machine the machine's
     * @param home Fettle's own folder, with the parts of it that run in targets
     * @param files reads the files
     */
    static Map<String, String> of(Plan plan, Map<String, String> machine, Path home, TrialFiles files) {
        var facts = new LinkedHashMap<>(machine);
        files.digests(files(plan)).forEach((file, digest) -> facts.put(PART + file, digest));
        files.digests(targets(plan)
                        .flatMap(t -> TargetParts.ofFettle(t).stream())
                        .map(home::resolve)
                        .toList())
                .forEach((file, digest) -> facts.put(PART + home.relativize(Path.of(file)), digest));
        return facts;
    }

    /** The digests of the user's own files and folders that are there, by path. */
    static Map<String, String> parts(Map<String, String> facts) {
        var parts = new HashMap<String, String>();
        facts.forEach((name, digest) -> {
            if (name.startsWith(PART + "/") && !digest.isEmpty()) {
                parts.put(name.substring(PART.length()), digest);
            }
        });
        return parts;
    }

    /** The facts without those of files and of Fettle itself, by which two runs are of one machine. */
    static Map<String, String> ofMachine(Map<String, String> facts) {
        var rest = new HashMap<>(facts);
        rest.keySet().removeIf(name -> name.startsWith(PART) || name.equals("fettleVersion"));
        return rest;
    }

    /**
     * Refuses to go on with a run whose trials would be of another machine, program or load.
     *
     * @param again the plan to go on with
     * @param machine the facts of this one
     * @param home Fettle's own folder
     * @param files reads the files
     * @throws CliException in one line that says what differs
     */
    static void check(
            ExperimentKind kind, RunRecord run, Plan again, Map<String, String> machine, Path home, TrialFiles files) {
        List<String> machines = HostFacts.differences(run.environment(), machine);
        if (!machines.isEmpty()) {
            throw refused(
                    "this is not the machine on which " + run.id() + " began (" + String.join(", ", machines) + ")",
                    "machines",
                    kind,
                    run);
        }
        if (!loads(Redaction.of(again)).equals(loads(run.plan()))) {
            throw refused(
                    "a file that " + run.planFile() + " reads, such as a scenario, changed since " + run.id()
                            + " began",
                    "loads",
                    kind,
                    run);
        }
        List<String> changed = changed(run, of(again, Map.of(), home, files));
        if (!changed.isEmpty()) {
            throw refused(String.join(", ", changed) + " changed since " + run.id() + " began", "versions", kind, run);
        }
    }

    /** The parts that are not what they were; what was not noted then is no difference. */
    private static List<String> changed(RunRecord run, Map<String, String> now) {
        return now.keySet().stream()
                .filter(fact -> {
                    String then = run.environment().get(fact);
                    return then != null && !then.equals(now.get(fact));
                })
                .map(fact -> fact.substring(PART.length()))
                .map(part -> part.startsWith("/") ? part : "Fettle's " + part)
                .sorted()
                .toList();
    }

    private static CliException refused(String why, String ofTwo, ExperimentKind kind, RunRecord run) {
        return Parse.usage(why + ": " + kind.said() + "s of two " + ofTwo + " can't be mixed. Start a new run with: "
                + ("fettle " + run.kind() + " " + run.planFile()).strip());
    }

    private static Stream<Variant> variants(Plan plan) {
        return plan.compare().stream().flatMap(c -> c.variants().stream());
    }

    /** Every target that a trial of the plan can have: the server may be a knob. */
    private static Stream<Target> targets(Plan plan) {
        List<Target> named = Stream.concat(
                        Stream.of(plan.target()), variants(plan).map(Variant::target))
                .toList();
        return Stream.concat(
                named.stream(),
                plan.values(ServerKind.CHOICE).stream()
                        .map(server -> Setting.of(ServerKind.CHOICE, server))
                        .flatMap(on -> named.stream().map(t -> t.under(on))));
    }

    private static Set<Path> files(Plan plan) {
        var files = new TreeSet<>(TrialFiles.of(plan.target(), plan.load()));
        files.addAll(plan.files());
        variants(plan)
                .forEach(v -> files.addAll(TrialFiles.of(v.target(), v.load().orElse(plan.load()))));
        return files;
    }

    private static List<Load> loads(Plan plan) {
        return Stream.concat(Stream.of(plan.load()), variants(plan).flatMap(v -> v.load().stream()))
                .toList();
    }
}
