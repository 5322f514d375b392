package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.PlanConstraints;
import dev.fettle.model.plan.PlanConstraints.Violation;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.NamedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads a plan from YAML, strictly: an unknown key, a wrong unit or an impossible setting is an error, and all errors
 * are reported at once. Only plain YAML is accepted: no tags, no anchors, one document, at most 1 MiB.
 */
public final class PlanReader {
    /** Maximum plan size in bytes. */
    public static final int MOST_BYTES = 1 << 20;

    private final int cpus;
    private final int somaxconn;
    private final OwnConfiguration own;
    private final int openConnections;

    /**
     * A reader that checks constraints for a host, without reading the user's files and jars.
     *
     * @param cpus CPUs the target may use
     * @param somaxconn the kernel's {@code net.core.somaxconn}; {@link Integer#MAX_VALUE} if unknown
     */
    public PlanReader(int cpus, int somaxconn) {
        this(cpus, somaxconn, OwnConfiguration.UNREAD);
    }

    /**
     * A reader that checks constraints for a host.
     *
     * @param own reads the user's files and jars
     */
    public PlanReader(int cpus, int somaxconn, OwnConfiguration own) {
        this(cpus, somaxconn, own, Load.OPEN_CONNECTIONS);
    }

    /**
     * A reader that also knows how many connections this host can open.
     *
     * @param openConnections of an open load that does not say how many, 1 to {@link Load#OPEN_CONNECTIONS}
     */
    public PlanReader(int cpus, int somaxconn, OwnConfiguration own, int openConnections) {
        this.openConnections = openConnections;
        this.cpus = cpus;
        this.somaxconn = somaxconn;
        this.own = own;
    }

    /**
     * Reads a file.
     *
     * @throws PlanException if the file can't be read or is not a plan
     */
    public Plan read(Path file) {
        return read(file, UnaryOperator.identity());
    }

    /**
     * Reads a file as a plan that is changed, such as for another target, before its constraints are checked.
     *
     * @throws PlanException if the file cannot be read or is not a plan
     */
    public Plan read(Path file, UnaryOperator<Plan> change) {
        return read(file, bytes(file), change);
    }

    /**
     * Reads the bytes of a file as a plan that is changed before its constraints are checked.
     *
     * @param file whose bytes they are: its name stands in messages, and relative paths start from its folder
     * @throws PlanException if they are not a plan
     */
    public Plan read(Path file, byte[] bytes, UnaryOperator<Plan> change) {
        return read(file.toString(), text(file, bytes), folder(file), change);
    }

    /**
     * The text of a file in UTF-8.
     *
     * @throws PlanException if it can't be read or is too large
     */
    static String text(Path file) {
        return text(file, bytes(file));
    }

    /**
     * The bytes of a file.
     *
     * @throws PlanException if it can't be read or is too large
     */
    public static byte[] bytes(Path file) {
        String name = file.toString();
        byte[] bytes;
        try (InputStream in = NamedFile.open(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new PlanException(List.of(new Problem(name, 0, 0, "no such file")));
        } catch (IOException e) {
            throw new PlanException(List.of(new Problem(name, 0, 0, "cannot be read: " + e.getMessage())));
        }
        if (bytes.length > MOST_BYTES) {
            throw new PlanException(List.of(new Problem(name, 0, 0, YamlTree.TOO_LARGE)));
        }
        return bytes;
    }

    private static String text(Path file, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new PlanException(List.of(new Problem(file.toString(), 0, 0, "is not UTF-8 text")));
        }
    }

    /** The base of a file's relative paths. */
    static Path folder(Path file) {
        return Optional.ofNullable(file.toAbsolutePath().getParent()).orElseThrow();
    }

    /**
     * Reads a text. Relative paths in it start from the working directory.
     *
     * @param name its name in messages
     * @throws PlanException if it is not a plan
     */
    public Plan read(String name, String text) {
        return read(name, text, Path.of("").toAbsolutePath(), UnaryOperator.identity());
    }

    private Plan read(String name, String text, Path folder, UnaryOperator<Plan> change) {
        var problems = new Problems(name);
        Optional<Node> root = new YamlTree(problems, "the plan is empty: it needs name, target and load").read(text);
        problems.throwIfAny();
        Optional<Plan> plan = root.flatMap(n -> plan(n, problems, folder));
        problems.throwIfAny();
        Plan read = plan.orElseThrow().withTargets(t -> configured(t, root.orElseThrow(), problems));
        problems.throwIfAny();
        read = change.apply(read);
        for (Violation v : PlanConstraints.check(read, cpus, somaxconn)) {
            problems.add(YamlTree.find(root.orElseThrow(), v.path()), v.message());
        }
        problems.throwIfAny();
        return read;
    }

    private Target configured(Target target, Node root, Problems problems) {
        if (!problems.none()) {
            return target; // a variant's files are the target's: report once
        }
        try {
            return target.configured(own.of(target));
        } catch (IllegalArgumentException e) {
            problems.add(YamlTree.find(root, List.of("target")), String.valueOf(e.getMessage()));
            return target;
        }
    }

    private Optional<Plan> plan(Node root, Problems problems, Path folder) {
        YamlFields f = YamlFields.closed(root, "a plan", PlanKeys.PLAN.keys(), problems);
        var scalars = new Scalars(problems);
        var reading = new Reading(problems, folder, openConnections);
        var ownKnobs = new OwnKnobReader(problems);
        List<OwnKnob> declared = f.get("own").map(ownKnobs::read).orElse(List.of());
        Optional<Hooks> hooks = f.get("hooks").flatMap(n -> reading.read(HookKeys.class, n, "hooks"));
        var targets = new TargetReader(problems, folder, hooks.map(Hooks::ports).orElse(Set.of()), own);
        var knobs = new KnobReader(problems, declared);
        var experiments = new ExperimentReader(problems, targets, knobs);
        var objectives = new ObjectiveReader(problems);

        Optional<String> name = f.require("name", "login-page").flatMap(n -> name(n, scalars, problems));
        String about = f.get("about")
                .flatMap(n -> scalars.text(n, "about"))
                .map(String::strip)
                .orElse("");
        Optional<Target> target =
                f.require("target", "{server: tomcat, app: hello}").flatMap(targets::read);
        Optional<Load> load = f.require("load", "{connections: 100}")
                .flatMap(n -> reading.read(LoadKeys.class, n, "load"))
                .map(l -> target.map(t -> SecureUrl.load(l, t, f, problems)).orElse(l));
        Setting hold = f.get("hold").map(n -> knobs.setting(n, "hold")).orElse(Setting.DEFAULT);
        List<KnobRange> ranges = f.get("knobs").map(knobs::ranges).orElse(List.of());
        for (KnobRange r : ranges) {
            if (hold.get(r.knob()).isPresent()) {
                problems.add(
                        YamlFields.open(f.get("knobs").orElseThrow(), "knobs", new Problems(""))
                                .at(r.knob()),
                        "%s is held and tuned at once: take it out of 'hold' or 'knobs'".formatted(r.knob()));
            }
        }
        Budget budget = f.get("budget")
                .flatMap(n -> reading.record(Budget.class, n, "budget"))
                .orElse(Budget.DEFAULT);
        Optional<Slo> slo =
                f.get("slo").flatMap(n -> scalars.text(n, "slo").flatMap(t -> scalars.tried(n, "slo", t, Slo::parse)));
        Arrivals arrivals = load.map(Load::arrivals).orElse(Arrivals.Closed.BACK_TO_BACK);
        Objective objective = f.get("objective")
                .flatMap(n -> reading.record(ObjectiveKeys.class, n, "objective"))
                .map(o -> o.objective(arrivals, slo))
                .orElseGet(() -> Objective.unnamed(arrivals, slo));
        long seed = f.get("seed")
                .flatMap(n -> scalars.wholeNumber(n, "seed", 0, Long.MAX_VALUE))
                .orElse(42L);
        if (target.isEmpty()) {
            return Optional.empty(); // dimensions and variants can't be judged
        }
        ownKnobs.fits(declared, target.get(), f);
        Optional<Plan.Sweep> sweep = f.get("sweep")
                .flatMap(n -> reading.record(CompareKeys.Sweep.class, n, "sweep"))
                .map(s -> experiments.sweep(s, target.get()));
        Optional<Plan.Compare> compare = f.get("compare")
                .flatMap(n -> reading.record(CompareKeys.class, n, "compare"))
                .map(c -> experiments.compare(c, target.get(), hold, load));
        boolean variants = f.get("compare")
                .map(n -> YamlFields.open(n, "compare", new Problems("")))
                .map(c -> c.has("variants") || c.has("layers"))
                .orElse(true);
        if (!targets.jdks().isEmpty() && variants) {
            problems.add(
                    YamlFields.open(f.get("target").orElseThrow(), "target", new Problems(""))
                            .at("java"),
                    "several JDKs are the variants of a 'compare' that has no 'variants': add compare: {pairs: 5}, or name one"
                            + " JDK here and put jvm.java into knobs, a grid or the variants");
        }
        if (name.isEmpty() || load.isEmpty()) {
            return Optional.empty();
        }
        List<List<Dimension>> grids = List.of(
                sweep.map(Plan.Sweep::grid).orElse(List.of()),
                compare.map(Plan.Compare::grid).orElse(List.of()));
        Load loaded = objectives.capacity(f, load.get(), objective, slo, compare, grids);
        objectives.open(f, loaded, objective);
        objectives.objective(f, loaded, target.get(), objective);
        experiments.spike(f, loaded, compare, slo.or(() -> Slo.of(objective)));
        experiments.scenario(f, loaded, grids);
        return Optional.of(new Plan(
                name.get(),
                about,
                target.get(),
                loaded,
                hold,
                ranges,
                objective,
                budget,
                slo,
                sweep,
                compare,
                hooks,
                seed,
                Optional.empty(),
                Optional.empty(),
                declared,
                Optional.empty(),
                problems.alsoRead()));
    }

    /** The plan's name, which must also be valid as a folder name. */
    private static Optional<String> name(Node node, Scalars scalars, Problems problems) {
        Optional<String> name = scalars.text(node, "name");
        if (name.isPresent() && !name.get().matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            problems.add(node, "name is up to 64 letters, digits, '.', '_' and '-', starting with a letter or digit");
            return Optional.empty();
        }
        return name;
    }
}
