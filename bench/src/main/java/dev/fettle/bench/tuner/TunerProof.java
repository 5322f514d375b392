package dev.fettle.bench.tuner;

import dev.fettle.bench.Options;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.tune.HoldingTimeSearch;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Runs Fettle's search on known surfaces up to its duel, and prints, a line a run, the true regret of the setting that it would send
 * into the duel. Options: {@code seeds}, {@code noise}, {@code drift}, {@code voids} (the share of trials that neighbours disturb),
 * {@code trials} and {@code surfaces} (comma-separated), {@code only}: {@code new} for the search of today alone. With {@code grid} and
 * {@code luck} it writes two files for the rivals instead: every setting with its truth, and each trial's luck.
 */
public final class TunerProof {
    private TunerProof() {}

    /** See the class. */
    public static void main(String[] args) throws IOException {
        Options options =
                Options.parse(args, "seeds", "noise", "drift", "voids", "trials", "surfaces", "only", "grid", "luck");
        if (options.has("grid")) {
            grid(Path.of(options.text("grid", "")));
        }
        double noise = options.real("noise", 0.03);
        double drift = options.real("drift", 0);
        double voids = options.real("voids", 0);
        long seeds = options.number("seeds", 20);
        if (options.has("luck")) {
            luck(Path.of(options.text("luck", "")), noise, drift, seeds);
        }
        if (options.has("grid") || options.has("luck")) {
            return;
        }
        List<String> surfaces = List.of(options.text("surfaces", "").split(","));
        boolean both = !options.text("only", "").equals("new");
        for (KnownSurface surface : KnownSurface.values()) {
            if (!surfaces.contains("") && !surfaces.contains(surface.id())) {
                continue;
            }
            double best = surface.best();
            for (String trials : options.text("trials", "5,8,12,16,20").split(",")) {
                for (long seed = 1; seed <= seeds; seed++) {
                    Plan plan = plan(Integer.parseInt(trials), seed);
                    var server = new VirtualServer(surface, noise, drift, voids, seed);
                    report("fettle", surface, trials, seed, best, run(new TuneExperiment(plan), server));
                    if (both) {
                        var again = new VirtualServer(surface, noise, drift, voids, seed);
                        report(
                                "fettle, one knob at a time",
                                surface,
                                trials,
                                seed,
                                best,
                                run(new TuneExperiment(plan, new HoldingTimeSearch(plan)), again));
                    }
                }
            }
        }
    }

    private record Found(Setting setting, double seconds) {}

    private static Found run(Experiment tune, VirtualServer server) {
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

    private static void report(String tuner, KnownSurface surface, String trials, long seed, double best, Found found) {
        System.out.printf(
                Locale.ROOT,
                "{\"tuner\":\"%s\",\"surface\":\"%s\",\"trials\":%s,\"seed\":%d,\"seconds\":%.0f,\"regret\":%.4f,\"changes\":%d}%n",
                tuner,
                surface.id(),
                trials,
                seed,
                found.seconds(),
                1 - surface.throughput(found.setting()).orElse(0) / best,
                found.setting().values().size());
    }

    private static void grid(Path to) throws IOException {
        var lines = new ArrayList<String>();
        for (KnownSurface s : KnownSurface.values()) {
            lines.add("%s\tdefault\t%s"
                    .formatted(s.id(), s.throughput(Setting.DEFAULT).orElse(0)));
            for (Setting x : KnownSurface.all()) {
                lines.add("%s\t%s\t%s"
                        .formatted(
                                s.id(),
                                String.join(
                                        "\t",
                                        KnownSurface.KNOBS.stream()
                                                .map(k -> x.get(k.knob()).orElse(""))
                                                .toList()),
                                s.throughput(x).orElse(0)));
            }
        }
        Files.write(to, lines);
    }

    private static void luck(Path to, double noise, double drift, long seeds) throws IOException {
        var lines = new ArrayList<String>();
        for (KnownSurface s : KnownSurface.values()) {
            for (long seed = 1; seed <= seeds; seed++) {
                String all = Arrays.stream(VirtualServer.luck(s, noise, drift, seed))
                        .mapToObj(x -> String.format(Locale.ROOT, "%.5f", x))
                        .collect(Collectors.joining("\t"));
                lines.add(s.id() + "\t" + seed + "\t" + all);
            }
        }
        Files.write(to, lines);
    }

    private static Plan plan(int trials, long seed) {
        var target = new Target.Command(
                List.of(List.of("{java}", "{jvm}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("worker"),
                Map.of(
                        "threads.max",
                        Integer.toString(KnownSurface.THREADS),
                        "backlog",
                        Integer.toString(KnownSurface.BACKLOG),
                        "tcp.nodelay",
                        "true",
                        "jvm.flags",
                        "",
                        "keepalive.requests",
                        "100"),
                Target.Jvm.SAME);
        var load = new Load(
                KnownSurface.CLIENTS,
                true,
                Load.Request.get("/"),
                Load.Expect.OK,
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                1,
                Arrivals.Closed.BACK_TO_BACK,
                Wire.PLAIN,
                Optional.empty());
        return Plan.of("known", target, load)
                .with()
                .knobs(KnownSurface.KNOBS)
                .budget(new Budget(trials, Duration.ofHours(5), 4))
                .seed(seed)
                .build();
    }
}
