package dev.fettle.bench.tuner;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.bench.Options;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.tune.HoldingTimeSearch;
import dev.fettle.insight.tune.SearchPart;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs Fettle's search on known surfaces up to its duel, and prints, a line a run, the true regret of the setting that it would send
 * into the duel. Options: {@code recorded} (a folder of recordings instead of the formulas) or {@code drawn} (how many {@link
 * DrawnSurface drawn surfaces} instead of the known ones, of {@code draw-seed}), {@code seeds}, {@code noise}, {@code drift}, {@code
 * voids} (the share of trials that neighbours disturb), {@code trials} and {@code surfaces} (comma-separated), {@code only}: {@code new}
 * for the search of today alone; {@code ablations}: the search whole and without each of its parts, on known and drawn surfaces. With
 * {@code grid} and {@code luck} it writes two files for the rivals instead: every setting with its truth, and the luck of each trial on
 * a formula.
 */
public final class TunerProof {
    private TunerProof() {}

    /** See the class. */
    public static void main(String[] args) throws IOException {
        Options options = Options.parse(
                args,
                "seeds",
                "noise",
                "drift",
                "voids",
                "trials",
                "surfaces",
                "recorded",
                "drawn",
                "draw-seed",
                "ablations",
                "only",
                "grid",
                "luck");
        double noise = options.real("noise", 0.03);
        double drift = options.real("drift", 0);
        long seeds = options.number("seeds", 20);
        List<String> wanted = List.of(options.text("surfaces", "").split(","));
        List<Surface> surfaces = surfaces(options).stream()
                .filter(s -> wanted.contains("") || wanted.contains(s.id()))
                .toList();
        if (options.has("grid")) {
            grid(Path.of(options.text("grid", "")), surfaces);
        }
        if (options.has("luck")) {
            luck(Path.of(options.text("luck", "")), surfaces, noise, drift, seeds);
        }
        if (options.has("grid") || options.has("luck")) {
            return;
        }
        double voids = options.real("voids", 0);
        ObjectMapper json = Json.mapper();
        for (Surface surface : surfaces) {
            double[] best = {surface.best(2), surface.best(1)};
            for (String trials : options.text("trials", "5,8,12,16,20").split(",")) {
                for (long seed = 1; seed <= seeds; seed++) {
                    Plan plan = surface.plan(Integer.parseInt(trials), seed);
                    var luck = new Surface.Luck(noise, drift, voids, seed);
                    for (Tuner tuner : tuners(options)) {
                        Found found = run(tuner.of().apply(plan), surface.server(luck));
                        double share = surface.truth(found.setting(), seed).orElse(0) / best[(int) (seed % 2)];
                        System.out.println(json.writeValueAsString(new Run(
                                tuner.name(),
                                surface.id(),
                                surface.traits(),
                                Integer.parseInt(trials),
                                seed,
                                Math.round(found.seconds()),
                                Math.round((1 - share) * 1e4) / 1e4,
                                found.setting().values().size())));
                    }
                }
            }
        }
    }

    private record Tuner(String name, Function<Plan, Experiment> of) {}

    /** The search of today, and what it is held against. */
    private static List<Tuner> tuners(Options options) {
        var all = new ArrayList<Tuner>();
        all.add(new Tuner("fettle", TuneExperiment::new));
        if (options.has("ablations")) {
            for (SearchPart part : SearchPart.values()) {
                String name = "fettle without " + part.name().toLowerCase(Locale.ROOT);
                all.add(new Tuner(name, plan -> new TuneExperiment(plan, SearchPart.without(part))));
            }
        } else if (!options.text("only", "").equals("new")) {
            all.add(new Tuner(
                    "fettle, one knob at a time", plan -> new TuneExperiment(plan, new HoldingTimeSearch(plan))));
        }
        return all;
    }

    /** Those of a folder of recordings, or formulas: the known ones, drawn ones, or both. */
    private static List<Surface> surfaces(Options options) throws IOException {
        if (options.has("recorded")) {
            return recorded(options.text("recorded", ""));
        }
        var all = new ArrayList<Surface>();
        if (options.has("ablations") || !options.has("drawn")) {
            all.addAll(List.of(KnownSurface.values()));
        }
        all.addAll(DrawnSurface.first((int) options.number("drawn", 0), options.number("draw-seed", 1)));
        return all;
    }

    private static List<Surface> recorded(String folder) throws IOException {
        var recorded = new ArrayList<Surface>();
        try (var plans = Files.newDirectoryStream(Path.of(folder), "*.yaml")) {
            for (Path plan : plans) {
                if (Files.exists(RecordedSurface.data(plan))) {
                    recorded.add(new RecordedSurface(plan));
                }
            }
        }
        recorded.sort(Comparator.comparing(Surface::id));
        return recorded;
    }

    private record Found(Setting setting, double seconds) {}

    private static Found run(Experiment tune, Surface.Server server) {
        var seen = new ArrayList<TrialOutcome>();
        while (true) {
            List<Experiment.Step.Run> runs = switch (tune.next(List.copyOf(seen))) {
                case Experiment.Step.Stop stop -> List.of();
                case Experiment.Step.Run run -> List.of(run);
                case Experiment.Step.Kept kept -> List.of(kept.run());
                case Experiment.Step.Live live -> List.of(live.run());
                case Experiment.Step.Pair pair -> List.of(pair.first(), pair.second());
            };
            Optional<Setting> winner = runs.stream()
                    .map(Experiment.Step.Run::spec)
                    .filter(s -> s.phase() == Phase.DUEL && s.variant().equals("candidate"))
                    .map(s -> s.setting())
                    .findFirst();
            if (winner.isPresent() || runs.isEmpty()) {
                double seconds = seen.stream()
                        .mapToDouble(t -> t.took().toMillis() / 1e3)
                        .sum();
                return new Found(winner.orElse(Setting.DEFAULT), seconds);
            }
            runs.forEach(r -> seen.add(server.run(seen.size() + 1, r.spec())));
        }
    }

    /** A line of the results; rivals.py writes the same. */
    private record Run(
            String tuner,
            String surface,
            List<String> traits,
            int trials,
            long seed,
            long seconds,
            double regret,
            int changes) {}

    private static void grid(Path to, List<Surface> surfaces) throws IOException {
        Json.mapper()
                .writeValue(to.toFile(), surfaces.stream().map(Surface::rivals).toList());
    }

    private static void luck(Path to, List<Surface> surfaces, double noise, double drift, long seeds)
            throws IOException {
        var lines = new ArrayList<String>();
        for (Surface surface : surfaces) {
            if (!(surface instanceof FormulaSurface s)) {
                continue;
            }
            for (long seed = 1; seed <= seeds; seed++) {
                String all = Arrays.stream(s.luck(new Surface.Luck(noise, drift, 0, seed)))
                        .mapToObj(x -> String.format(Locale.ROOT, "%.5f", x))
                        .collect(Collectors.joining("\t"));
                lines.add(s.id() + "\t" + seed + "\t" + all);
            }
        }
        Files.write(to, lines);
    }

    /** A tune of choices, each trial on a process of its own. */
    static Plan plan(
            String name, Target target, Load load, Setting hold, List<KnobRange> knobs, int trials, long seed) {
        return Plan.of(name, target, load)
                .with()
                .hold(hold)
                .knobs(knobs)
                .budget(new Budget(trials, Duration.ofHours(5), 4, Optional.of(false), false))
                .seed(seed)
                .build();
    }
}
