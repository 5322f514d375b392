package dev.fettle.model.read;

import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CompareAsked;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.PlanConstraints;
import dev.fettle.model.plan.PlanConstraints.Violation;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.NamedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        return read(name, root.orElseThrow(), folder, change);
    }

    /** Reads a plan's tree. */
    Plan read(String name, Node root, Path folder, UnaryOperator<Plan> change) {
        var problems = new Problems(name);
        var reading = new Reading(problems, folder, own, openConnections);
        Optional<Plan> plan = reading.read(PlanKeys.class, root, "plan");
        problems.throwIfAny();
        Plan read = plan.orElseThrow().withTargets(t -> configured(t, root, problems));
        problems.throwIfAny();
        read = change.apply(read);
        for (Violation v : PlanConstraints.check(read, cpus, somaxconn)) {
            problems.add(YamlTree.find(root, v.path()), v.message());
        }
        problems.throwIfAny();
        return read;
    }

    /**
     * The plan as a comparison of programs in place of its target's own, all else being equal: builds of a Spring Boot jar, of a WAR, of a
     * server's home, or of the one jar in a command. Of a comparison that the plan has, grid, blocks and spike are kept.
     *
     * @param programs by the names of their variants, in order
     * @throws IllegalArgumentException with one line for the user, if the target has no place for one, or if it is not there
     * @throws PlanException if what the plan sets can't be set in one of them
     */
    public Plan comparing(Plan plan, Map<String, Path> programs) {
        List<Variant> variants = programs.entrySet().stream()
                .map(e -> new Variant(
                        e.getKey(),
                        new NamedProgram(e.getValue().toAbsolutePath().normalize(), own).in(plan.target()),
                        plan.hold()))
                .toList();
        var named = new LinkedHashMap<String, String>();
        programs.forEach((name, program) ->
                named.put(name, program.toAbsolutePath().normalize().toString()));
        var asked = new CompareAsked(
                named, plan.compare().flatMap(Plan.Compare::asked).flatMap(CompareAsked::failIfSlower));
        Plan.Compare compare = plan.compare()
                .orElseGet(() -> new Plan.Compare(
                        variants, List.of(), CompareKeys.PAIRS, Optional.empty(), false, Optional.empty()))
                .with()
                .variants(variants)
                .layered(false)
                .baseline(Optional.empty())
                .asked(Optional.of(asked))
                .build();
        Plan made = plan.withCompare(Optional.of(compare));
        List<Problem> wrong = PlanConstraints.check(made, cpus, somaxconn).stream()
                .map(v -> new Problem(plan.name(), 0, 0, v.message()))
                .toList();
        if (!wrong.isEmpty()) {
            throw new PlanException(wrong);
        }
        return made;
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
}
