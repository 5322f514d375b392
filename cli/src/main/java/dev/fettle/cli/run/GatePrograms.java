package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.lab.launch.ClassFileRelease;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.read.Problem;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.CommandWords;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** The two programs of a gate: how what the user named becomes a target, with the plan's or without one. */
public final class GatePrograms {
    private static final int SHOWN_OF_A_DIGEST = 12;
    private static final String PROGRAM = "{program}";
    private static final String PORT = "{port}";

    /** Many short pairs tell more than a few long ones. */
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    private final PlanReader reader;

    public GatePrograms(PlanReader reader) {
        this.reader = reader;
    }

    /**
     * A program, as a user names it.
     *
     * @param given a jar, a WAR, a folder, or a command line
     * @param from which revision it is, in words; empty: what is named
     */
    public record Named(String given, Optional<String> from) {
        /** What is named as it is. */
        public static Named of(String given) {
            return new Named(given, Optional.empty());
        }

        Optional<Path> file() {
            try {
                return Optional.of(Path.of(given).toAbsolutePath().normalize()).filter(Files::exists);
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        }
    }

    /**
     * A plan without a file, for two programs of which nothing but their files is known.
     *
     * @param path to request
     * @param clients that wait for their answers
     * @param run the command that runs a file, with {@value #PROGRAM} and {@value #PORT}; empty: what kind of program it is says how
     */
    public Plan plan(Named program, String path, int clients, Optional<String> run) {
        Optional<Path> file = program.file();
        if (run.isPresent()) {
            return command(runs(run.get(), program, file), path, clients);
        }
        if (file.isPresent()) {
            String text = new PlanDraft(program.given(), path, clients, "throughput", Optional.empty()).text();
            try {
                return read(text);
            } catch (PlanException e) { // of a plan that nobody has written, lines say nothing
                boolean jar = program.given().toLowerCase(Locale.ROOT).endsWith(".jar");
                throw Parse.usage(String.join(
                                "; ",
                                e.problems().stream().map(Problem::message).toList())
                        + (jar ? ". Say how it is run: --run \"{java} -jar {program} {port}\"" : ""));
            }
        }
        if (!program.given().contains(PORT)) {
            throw Parse.usage(
                    program.given().contains(" ")
                            ? "'" + program.given()
                                    + "' is no file, and as a command it lacks {port}, where Fettle puts the port that it is to listen on"
                            : "there is no " + program.given());
        }
        return command(words(program.given()), path, clients);
    }

    private static List<String> runs(String run, Named program, Optional<Path> file) {
        for (String part : List.of(PROGRAM, PORT)) {
            if (!run.contains(part)) {
                throw Parse.usage("--run \"" + run + "\" lacks " + part + ": \"{java} -jar {program} --port={port}\"");
            }
        }
        Path there = file.orElseThrow(() -> Parse.usage("there is no " + program.given()
                + (program.given().contains(PORT) ? ": --run is for files; this is a command itself" : "")));
        return words(run).stream()
                .map(w -> w.replace(PROGRAM, there.toString()))
                .toList();
    }

    private Plan command(List<String> words, String path, int clients) {
        return read("name: gate\ntarget: {command: "
                + words.stream().map(GatePrograms::quoted).collect(Collectors.joining(", ", "[", "]"))
                + "}\nload: {connections: " + clients + ", request: {path: " + quoted(path)
                + "}, expect: {status: 200}, warm-up: 20s, measure: 5s}\n");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private Plan read(String text) {
        return reader.read(
                Path.of("gate"),
                text.getBytes(StandardCharsets.UTF_8),
                p -> p.withKnobs(List.of()).withLoad(p.load().withWarmUpAtMost(WARM_UP)));
    }

    private static List<String> words(String command) {
        try {
            return CommandWords.of(command);
        } catch (IllegalArgumentException e) {
            throw Parse.usage("'" + command + "': " + e.getMessage());
        }
    }

    /** A plan's file, of which the programs take the place of the target's own. */
    public PlanFile.Read read(Path file) {
        return PlanFile.read(
                reader,
                file,
                p -> p.with()
                        .compare(Optional.empty())
                        .sweep(Optional.empty())
                        .knobs(List.of())
                        .build());
    }

    /**
     * The plan's target with another program, all else being equal.
     *
     * @param side which of the two it is, for messages
     */
    public Target in(Plan plan, Named program, String side) {
        Optional<Path> file = program.file();
        if (file.isEmpty()) {
            if (plan.target() instanceof Target.Command c && program.given().contains(" ")) {
                return c.withArguments(
                        words(program.given()).stream().map(List::of).toList());
            }
            throw Parse.usage("there is no " + program.given());
        }
        try {
            return reader.comparing(plan, Map.of(side, file.get()))
                    .compare()
                    .orElseThrow()
                    .variants()
                    .getFirst()
                    .target();
        } catch (IllegalArgumentException e) {
            throw Parse.usage("the " + side + ": " + e.getMessage());
        } catch (PlanException e) {
            throw Parse.usage("with the " + side + " (" + program.given() + "): "
                    + String.join(
                            "\n", e.problems().stream().map(Problem::toString).toList()));
        }
    }

    /**
     * The plan of the gate.
     *
     * @param base the plan with the base's target; what it changes besides the programs is left out
     * @param head the head's target
     */
    public static Plan gate(Plan base, Target head, GateAsked asked) {
        var variants = List.of(
                new Variant(GateAsked.BASE, base.target(), base.hold()),
                new Variant(GateAsked.HEAD, head, base.hold()));
        return base.with()
                .knobs(List.of())
                .sweep(Optional.empty())
                .compare(Optional.of(
                        new Plan.Compare(variants, List.of(), 2, Optional.empty(), false, Optional.empty())))
                .gate(Optional.of(asked))
                .build();
    }

    /** What a program is, in words, with the beginning of its digest. */
    public static String words(Named program, Target target, Map<String, String> digests) {
        String name = program.file().map(f -> f.getFileName().toString()).orElse(program.given());
        return name
                + program.from().map(f -> " of " + f).orElse("")
                + digest(target, digests)
                        .map(d -> ", SHA-256 " + d.substring(0, Math.min(SHOWN_OF_A_DIGEST, d.length())))
                        .orElse("");
    }

    private static Optional<String> digest(Target target, Map<String, String> digests) {
        List<String> own = digests.values().stream().filter(d -> !d.isEmpty()).toList();
        return own.size() == 1 || target.takesProperties() && !own.isEmpty()
                ? Optional.of(own.getFirst())
                : Optional.empty();
    }

    /** The digests of what a target is made of. */
    public static Map<String, String> digests(Target target, Plan plan) {
        return new TrialFiles().digests(TrialFiles.of(target, plan.load().withScenario(Optional.empty())));
    }

    /** Whether two targets run the same program, wherever it lies. */
    public static boolean same(Target base, Target head, Plan plan) {
        if (base.equals(head)) {
            return true;
        }
        List<String> one = contents(base, plan);
        return !one.isEmpty()
                && one.equals(contents(head, plan))
                && withoutPlaces(base).equals(withoutPlaces(head));
    }

    private static List<String> contents(Target target, Plan plan) {
        return digests(target, plan).values().stream()
                .filter(d -> !d.isEmpty())
                .sorted()
                .toList();
    }

    private static Target withoutPlaces(Target t) {
        return switch (t) {
            case Target.Boot b -> b.with().jar("").build();
            case Target.War w -> new Target.War(w.server(), "", w.context(), w.jvm());
            case Target.Standalone s ->
                s.with()
                        .war(s.war().map(w -> ""))
                        .home(s.home().map(h -> ""))
                        .base(s.base().map(b -> ""))
                        .build();
            case Target.Command c ->
                c.withArguments(c.arguments().stream()
                        .map(g -> g.stream()
                                .map(a -> Files.exists(path(a)) ? "" : a)
                                .toList())
                        .toList());
            case Target.Embedded _, Target.Running _, Target.Url _ -> t;
        };
    }

    private static Path path(String text) {
        try {
            return Path.of(text.isEmpty() ? "\0" : text);
        } catch (InvalidPathException e) {
            return Path.of("/nowhere/at/all");
        }
    }

    /** Refuses a program that was compiled for a newer Java than the one that would run it. */
    public static void checkJava(Named program, String side, Target target) throws LabException {
        Optional<Path> file = program.file();
        OptionalInt needs = file.isPresent() ? ClassFileRelease.of(file.get()) : OptionalInt.empty();
        Optional<Integer> has = Jdks.releaseOf(Jdks.system().java(target.jvm().java()));
        if (needs.isPresent() && has.isPresent() && needs.getAsInt() > has.get()) {
            throw Parse.usage("the " + side + " (" + program.given() + ") was compiled for Java " + needs.getAsInt()
                    + ", and Java " + has.get() + " would run it: name a newer JDK in the plan, target: {java: "
                    + needs.getAsInt() + "}");
        }
    }
}
