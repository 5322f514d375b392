package dev.fettle.bench.tuner;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.bench.Options;
import dev.fettle.bench.tuner.RecordingOrder.RecordedPoint;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.TrialRunner;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Records a surface for the tuner's proof: the default and every setting of a plan's sweep, in rounds, each in a random order of its own.
 * Knobs that a running server takes are set there, in one warm JVM for each combination of the others' values; every round starts new
 * ones. A line of JSON a trial; a file that is there is continued, so it can be stopped at any time. Options: {@code plan}, {@code out},
 * {@code rounds} (how many there are to be in the file), {@code home} (Fettle's folder), {@code work} (a folder for the trials' files),
 * {@code minutes} (after which it stops).
 */
public final class RecordSurface {
    /** A trial from which other programs or the hypervisor took CPU time is made again, so often at most. */
    private static final int TRIES = 3;

    private RecordSurface() {}

    /** See the class. */
    public static void main(String[] args) throws IOException, LabException, InterruptedException {
        Options options = Options.parse(args, "plan", "out", "rounds", "home", "work", "minutes");
        Path home = Path.of(options.text("home", ".")).toAbsolutePath().normalize();
        Path out = Path.of(options.text("out", ""));
        var proc = new Proc();
        var cpus = CpuLayout.of(proc.allowedCpus("self"));
        Plan plan = new PlanReader(cpus.server().size(), proc.somaxconn(), OwnFiles.CONFIGURATION)
                .read(Path.of(options.text("plan", "")));
        List<String> knobs =
                plan.sweep().orElseThrow().grid().stream().map(Dimension::name).toList();
        long end = System.nanoTime()
                + Duration.ofMinutes(options.number("minutes", 24 * 60)).toNanos();
        Workspace workspace = Workspace.open(Path.of(options.text("work", ".fettle")));
        var env = new LabEnvironment(
                        home,
                        workspace,
                        Jdks.system(),
                        cpus,
                        proc,
                        Set.of(),
                        Clock.SYSTEM,
                        workspace.folder().resolve("state"))
                .atOnce();
        ObjectMapper json = Json.mapper();
        var silent = new LabListener() {};
        try (var runner = new TrialRunner(
                env,
                workspace.runFolder("surface"),
                Hooks.NONE,
                List.of(),
                Set.copyOf(knobs),
                Optional.empty(),
                Objective.Metric.THROUGHPUT,
                new TrialFiles(),
                silent)) {
            var standard = new TrialSpec(Phase.SWEEP, "", Map.of(), 0, plan.target(), plan.hold(), plan.load());
            TrialOutcome first = runner.run(1, standard, silent);
            if (first.evidence().isEmpty()) {
                throw new LabException("the default gave no figures: "
                        + first.failure().map(TrialOutcome.Failure::message).orElse("its trial is void"));
            }
            var order = new RecordingOrder(
                    plan, RecordedTrial.of(0, knobs, List.of(), first).effective());
            List<RecordedPoint> all = order.rounds((int) options.number("rounds", 4));
            int done = done(out, all, json);
            for (int i = done; i < all.size() && System.nanoTime() < end; i++) {
                RecordedPoint point = all.get(i);
                if (i == done || !point.launched().equals(all.get(i - 1).launched())) {
                    point.warmUp(runner, silent);
                }
                RecordedTrial trial;
                int tries = 0;
                do {
                    trial = RecordedTrial.of(point.round(), knobs, point.values(), point.run(runner, i + 2, silent));
                } while (trial.disturbed() && ++tries < TRIES);
                String line = json.writeValueAsString(trial);
                Files.writeString(out, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                System.err.printf("%d of %d  %s%n", i + 1, all.size(), line);
            }
        }
    }

    /** How many trials a file has, which must be the first of these: an older recording may have another order. */
    private static int done(Path out, List<RecordedPoint> all, ObjectMapper json) throws IOException {
        List<String> lines = Files.exists(out) ? Files.readAllLines(out) : List.of();
        for (int i = 0; i < Math.min(lines.size(), all.size()); i++) {
            RecordedTrial trial = json.readValue(lines.get(i), RecordedTrial.class);
            if (trial.round() != all.get(i).round()
                    || !trial.setting().equals(all.get(i).values())) {
                throw new IllegalArgumentException(
                        out + " has another setting in line " + (i + 1) + " than this recording: give it another file");
            }
        }
        return lines.size();
    }
}
