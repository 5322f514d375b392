package dev.fettle.model.read;

import dev.fettle.model.key.Key;
import dev.fettle.model.key.Range;
import dev.fettle.model.load.Scenario.Step;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.text.Units;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** The reading of one file: where problems go, what relative paths start from, and values whose Java type does not say how they are written. */
final class Reading {
    private final Problems problems;
    private final Scalars scalars;
    private final Path folder;
    private final int openConnections;
    private final Binder binder;
    private final Variables variables;

    /**
     * @param folder base of relative paths
     * @param openConnections how many connections an open load may open that does not say it
     */
    Reading(Problems problems, Path folder, int openConnections) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.folder = folder;
        this.openConnections = openConnections;
        this.binder = new Binder(this);
        this.variables = new Variables(problems);
    }

    Problems problems() {
        return problems;
    }

    Scalars scalars() {
        return scalars;
    }

    Path folder() {
        return folder;
    }

    int openConnections() {
        return openConnections;
    }

    Variables variables() {
        return variables;
    }

    /** Reads a section that stands for something of the model. */
    @SuppressWarnings("unchecked")
    <T> Optional<T> read(Class<? extends Written<T>> section, Node node, String name) {
        return (Optional<T>) binder.bind(section, node, name);
    }

    /** Reads a section that is its own record. */
    @SuppressWarnings("unchecked")
    <T extends Record> Optional<T> record(Class<T> section, Node node, String name) {
        return (Optional<T>) binder.bind(section, node, name);
    }

    /** A value in the form of its key. */
    Optional<?> value(RecordComponent c, Node node, String what) {
        Range range = c.getAnnotation(Range.class);
        return switch (c.getAnnotation(Key.class).form()) {
            case RATE -> tried(node, what, Units::rate);
            case RATE_OR_ZERO ->
                node instanceof ScalarNode s && s.getValue().matches("0+(/s)?")
                        ? Optional.of(0.0)
                        : tried(node, "rate", Units::rate);
            case SIZE -> scalars.size(node, what, Units.size(range.to())).map(Math::toIntExact);
            case SHARE -> scalars.share(node, what);
            case PAGE -> page(node, what);
            case REGEX -> regex(node, what);
            case TEMPLATE -> template(node, what);
            case TEMPLATE_PAGE -> templatePage(node, what);
            case TEMPLATES -> Optional.of(templates(node, what));
            case HEADERS -> Optional.of(new Headers(problems).read(node, (at, text) -> {}));
            case TEMPLATE_HEADERS -> Optional.of(new Headers(problems).read(node, variables::in));
            case STATUSES -> Optional.of(statuses(node));
            case STEPS -> Optional.of(steps(node));
            case VARIABLES -> Optional.of(fixed(node));
            case ARGUMENTS -> Optional.of(arguments(node, what));
            default -> throw new IllegalStateException(c + " has no form");
        };
    }

    /** Arguments in groups; one that stands alone is a group of its own. */
    private List<List<Placed<String>>> arguments(Node node, String what) {
        var groups = new ArrayList<List<Placed<String>>>();
        for (Node item : scalars.list(node, what)) {
            var group = new ArrayList<Placed<String>>();
            for (Node argument :
                    item instanceof SequenceNode ? scalars.list(item, "a group of arguments") : List.of(item)) {
                scalars.text(argument, "an argument").ifPresent(t -> group.add(new Placed<>(argument, t)));
            }
            if (!group.isEmpty()) {
                groups.add(group);
            }
        }
        return groups;
    }

    private <T> Optional<T> tried(Node node, String what, java.util.function.Function<String, T> parse) {
        return scalars.text(node, what).flatMap(t -> scalars.tried(node, what, t, parse));
    }

    private Optional<String> page(Node node, String what) {
        Optional<String> path = scalars.text(node, what);
        if (path.isPresent() && !path.get().matches("/[!-~]*")) {
            problems.add(
                    node, "a path starts with '/' and holds no blanks: '%s'".formatted(Secrets.redactUrl(path.get())));
            return Optional.empty();
        }
        return path;
    }

    private Optional<String> regex(Node node, String what) {
        Optional<String> text = scalars.text(node, what);
        try {
            text.ifPresent(Pattern::compile);
            return text;
        } catch (PatternSyntaxException e) {
            problems.add(node, "'%s' is no regular expression: %s".formatted(text.orElse(""), e.getDescription()));
            return Optional.empty();
        }
    }

    /** Text that may contain placeholders, whose variables must have a value by now. */
    private Optional<String> template(Node node, String what) {
        Optional<String> text = scalars.text(node, what);
        text.ifPresent(t -> variables.in(node, t));
        return text;
    }

    private Optional<String> templatePage(Node node, String what) {
        Optional<String> path = template(node, what);
        if (path.isEmpty()) {
            return path;
        }
        String outside = path.get().replaceAll("\\$\\{[^}$]*+}", "");
        boolean begins = path.get().startsWith("/")
                || path.get().startsWith("${") && path.get().matches("(?s)\\$\\{[^}]*\\|(path|raw)}.*");
        if (!begins || !outside.matches("[!-~]*")) {
            problems.add(
                    node,
                    "a path starts with '/' (or with a value that is one: ${name|path}) and holds no blanks: '%s'"
                            .formatted(Secrets.redactUrl(path.get())));
            return Optional.empty();
        }
        return path;
    }

    /** One text or several. */
    private List<String> templates(Node node, String what) {
        var out = new ArrayList<String>();
        for (Node item : node instanceof SequenceNode ? scalars.list(node, what) : List.of(node)) {
            template(item, what).ifPresent(t -> {
                if (t.isEmpty()) {
                    problems.add(item, "%s is empty".formatted(what));
                } else {
                    out.add(t);
                }
            });
        }
        return out;
    }

    /** One status or several; none for any 2xx. */
    private Set<Integer> statuses(Node node) {
        var out = new TreeSet<Integer>();
        boolean any = node instanceof ScalarNode s && s.getValue().equals("2xx");
        for (Node item :
                any ? List.<Node>of() : node instanceof SequenceNode ? scalars.list(node, "status") : List.of(node)) {
            scalars.integer(item, "status", 200, 599).ifPresent(out::add);
        }
        return out;
    }

    private Map<String, String> fixed(Node node) {
        var out = new LinkedHashMap<String, String>();
        for (YamlFields.Entry e : YamlFields.open(node, "variables", problems).all()) {
            if (variables.add(e.keyNode(), e.key())) {
                scalars.text(e.value(), e.key()).ifPresent(v -> out.put(e.key(), v));
            }
        }
        return out;
    }

    private List<Step> steps(Node node) {
        var out = new ArrayList<Step>();
        var names = new HashSet<String>();
        variables.flow();
        List<Node> items = scalars.list(node, "steps");
        for (Node item : items) {
            read(StepKeys.class, item, "steps").ifPresent(step -> {
                if (!names.add(step.name())) {
                    problems.add(item, "two steps of a flow are named '%s'".formatted(step.name()));
                }
                out.add(step);
            });
        }
        if (!items.isEmpty() && items.getLast() instanceof MappingNode last) {
            YamlFields.open(last, "", new Problems(""))
                    .get("think")
                    .ifPresent(n -> problems.add(
                            n, "nothing follows the last step; the pause between iterations is load.think"));
        }
        return out;
    }
}
