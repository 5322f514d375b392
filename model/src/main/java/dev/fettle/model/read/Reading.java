package dev.fettle.model.read;

import dev.fettle.model.key.Key;
import dev.fettle.model.key.Range;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.load.Scenario.Step;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.NearestName;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.text.Units;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** The reading of one file: where problems go, what relative paths start from, and values whose Java type does not say how they are written. */
final class Reading {
    private static final List<String> DISTRIBUTIONS = Arrays.stream(ServerKind.values())
            .filter(s -> s.rules().hasDistribution())
            .map(ServerKind::id)
            .toList();

    private final Problems problems;
    private final Scalars scalars;
    private final Path folder;
    private final OwnConfiguration own;
    private final int openConnections;
    private final Binder binder;
    private final Variables variables;
    /** The hosts that a load is sent from, where it says so. */
    private final List<Sent> sent = new ArrayList<>();
    /** Names of ports in use, which may be the hooks'. */
    private final List<Placed<String>> ports = new ArrayList<>();

    /** A load that other machines send. */
    record Sent(YamlFields at, List<String> hosts) {}

    /** Notes that other machines send a load. */
    void sentFrom(YamlFields at, List<String> hosts) {
        if (!hosts.isEmpty()) {
            sent.add(new Sent(at, hosts));
        }
    }

    /** The loads that other machines send. */
    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /**
     * @param folder base of relative paths
     * @param own reads the user's files and jars
     * @param openConnections how many connections an open load may open that does not say it
     */
    Reading(Problems problems, Path folder, OwnConfiguration own, int openConnections) {
        this.problems = problems;
        this.own = own;
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

    /** Reads a target, of whatever kind. */
    @SuppressWarnings("unchecked")
    Optional<Target> target(Node node) {
        return (Optional<Target>) TargetKeys.kind(node, problems).flatMap(kind -> binder.bind(kind, node, "target"));
    }

    /** Notes a port that a text names. */
    void port(Node node, String name) {
        ports.add(new Placed<>(node, name));
    }

    /** Notes all ports in a text. */
    void ports(Node node, String text) {
        Hooks.ports(text).forEach(name -> port(node, name));
    }

    /** Reports a port name that is almost one of the hooks'; any other name is a port of the target's own. */
    void checkPorts(Set<String> ofHooks) {
        for (Placed<String> port : ports) {
            if (!ofHooks.contains(port.value())) {
                NearestName.nearest(port.value(), ofHooks)
                        .ifPresent(near -> problems.add(
                                port.at(),
                                "{port:%s}: no hook has it; did you mean {port:%s}?".formatted(port.value(), near)));
            }
        }
    }

    /** An app's options; unchecked for an unknown app. */
    Map<String, String> options(Node node, String app) {
        var out = new LinkedHashMap<String, String>();
        for (YamlFields.Entry e : YamlFields.open(node, "options", problems).all()) {
            Optional<String> text = scalars.text(e.value(), e.key());
            if (text.isEmpty() || app.isEmpty()) {
                continue;
            }
            boolean known = Apps.options(app).contains(e.key());
            scalars.tried(
                            known ? e.value() : e.keyNode(),
                            known ? e.key() : "",
                            text.get(),
                            t -> Apps.canonical(app, e.key(), t))
                    .ifPresent(v -> out.put(e.key(), v));
        }
        return out;
    }

    /** What is in a Spring Boot jar. */
    Optional<OwnConfiguration.BootApp> boot(Placed<Path> jar) {
        return scalars.tried(jar.at(), "", jar.value().toString(), t -> own.look(jar.value()));
    }

    /** A file or folder that is there. */
    Optional<Path> existing(Node node, String what) {
        return there(node, what, Files::exists, "no such file:");
    }

    private Optional<Path> there(Node node, String what, Predicate<Path> is, String otherwise) {
        Optional<Path> path = scalars.path(node, what, folder);
        if (path.isPresent() && !is.test(path.get())) {
            problems.add(node, "%s: %s %s".formatted(what, otherwise, path.get()));
            return Optional.empty();
        }
        return path;
    }

    /** The text of a file, which becomes part of the plan. */
    Optional<String> contents(Placed<String> file) {
        return scalars.path(file.at(), "from", folder).flatMap(from -> {
            problems.alsoRead(from);
            try {
                return Optional.of(PlanReader.text(from));
            } catch (PlanException e) {
                problems.add(
                        file.at(),
                        "%s: %s".formatted(file.value(), e.problems().getFirst().message()));
                return Optional.empty();
            }
        });
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
            case FLAGS -> Optional.of(scalars.flags(node, what));
            case JDKS -> Optional.of(jdks(node, Integer.parseInt(range.from())));
            case SERVER -> scalars.oneOf(node, what, ServerKind.ids()).flatMap(ServerKind::of);
            case DISTRIBUTION -> scalars.oneOf(node, what, DISTRIBUTIONS).flatMap(ServerKind::of);
            case APP -> scalars.oneOf(node, what, Apps.names());
            case BASE -> base(node);
            case SLO -> tried(node, what, Slo::parse);
            case FILE -> existing(node, what);
            case FOLDER ->
                there(node, what, Files::isDirectory, "there is no folder").map(Path::toString);
            case TARGET -> target(node);
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

    /** A JDK, or several to compare. */
    private List<String> jdks(Node node, int oldest) {
        if (!(node instanceof SequenceNode)) {
            return jdk(node, oldest).stream().toList();
        }
        var out = new ArrayList<String>();
        for (Node item : scalars.list(node, "java")) {
            jdk(item, oldest).ifPresent(one -> {
                if (out.contains(one)) {
                    problems.add(item, "%s is listed twice".formatted(one));
                } else {
                    out.add(one);
                }
            });
        }
        if (out.size() == 1 && problems.none()) {
            problems.add(node, "java: one JDK needs no list; several are compared");
        }
        return out;
    }

    /** A feature release or a folder; the lab checks whether it exists. */
    private Optional<String> jdk(Node node, int oldest) {
        Optional<String> text = scalars.text(node, "java");
        String t = text.orElse("");
        if (t.matches("[0-9]{1,3}") && Integer.parseInt(t) < oldest) {
            problems.add(node, "java %s is too old: at least %d".formatted(t, oldest));
        } else if (text.isPresent() && !isJdk(t)) {
            problems.add(
                    node, "java is a feature release such as 25, or the home folder of a JDK, not '%s'".formatted(t));
            return Optional.empty();
        }
        return text;
    }

    /** Whether it is a feature release, or names a folder. */
    static boolean isJdk(String text) {
        return text.matches("[0-9]{1,3}") || text.contains("/") || text.contains("\\");
    }

    private Optional<URI> base(Node node) {
        Optional<String> text = scalars.text(node, "url");
        try {
            Optional<URI> uri = text.isEmpty() ? Optional.empty() : Optional.of(new URI(text.get()));
            String wrong = uri.map(SecureUrl::wrong).orElse("");
            if (wrong.isEmpty()) {
                return uri;
            }
            problems.add(node, wrong);
        } catch (URISyntaxException e) {
            problems.add(node, "url is not a URL: %s".formatted(e.getReason()));
        }
        return Optional.empty();
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
