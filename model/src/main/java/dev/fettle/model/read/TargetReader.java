package dev.fettle.model.read;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.target.Target.Backend;
import dev.fettle.model.target.Target.Jvm;
import dev.fettle.model.text.NearestName;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads {@code target}. */
final class TargetReader {
    private static final List<String> SHAPES = List.of("server", "standalone", "boot", "command", "pid", "url");
    /** The kernel's upper bound on process ids. */
    private static final long MOST_PID = 1 << 22;

    private final Problems problems;
    private final Scalars scalars;
    private final Path folder;
    private final Set<String> ports;
    private final OwnConfiguration own;
    private final List<String> jdks = new ArrayList<>();
    /** Whether several JDKs may be named: in the plan's target, but not in a variant's. */
    private boolean mayCompare;

    /**
     * @param folder base of relative paths
     * @param ports names of the hooks' ports
     * @param own reads the user's files and jars
     */
    TargetReader(Problems problems, Path folder, Set<String> ports, OwnConfiguration own) {
        this.problems = problems;
        this.folder = folder;
        this.ports = ports;
        this.own = own;
        this.scalars = new Scalars(problems);
    }

    Optional<Target> read(Node node) {
        mayCompare = true;
        try {
            return one(node);
        } finally {
            mayCompare = false;
        }
    }

    /** The JDKs to compare, if the target names several. */
    List<String> jdks() {
        return List.copyOf(jdks);
    }

    private Optional<Target> one(Node node) {
        // the kind of target decides which keys are allowed
        YamlFields shape = YamlFields.open(node, "target", new Problems(""));
        // a process target may also have a url
        List<String> named = SHAPES.stream()
                .filter(shape::has)
                .filter(s -> !(s.equals("url") && shape.has("pid")))
                .toList();
        if (named.size() > 1) {
            problems.add(
                    shape.at(named.get(1)),
                    "a target has either '%s' or '%s', not both".formatted(named.get(0), named.get(1)));
            return Optional.empty();
        }
        if (named.isEmpty()) {
            YamlFields any = YamlFields.closed(node, "target", allKeys(), problems);
            if (any.size() > 0 || problems.none()) {
                problems.add(
                        node,
                        "target needs 'server' (an embedded server), 'standalone' (a server's distribution), 'boot' (a Spring"
                                + " Boot jar), 'command' (a program to start), 'pid' (a process that runs already) or 'url'"
                                + " (already up)");
            }
            return Optional.empty();
        }
        return switch (named.getFirst()) {
            case "server" -> embedded(node, shape);
            case "standalone" ->
                new DeployedReader(problems, this, folder, own)
                        .standalone(
                                YamlFields.closed(node, "a standalone target", PlanKeys.STANDALONE.keys(), problems));
            case "boot" ->
                new DeployedReader(problems, this, folder, own)
                        .boot(YamlFields.closed(node, "a Spring Boot target", PlanKeys.BOOT.keys(), problems));
            case "command" ->
                new CommandReader(problems, this)
                        .read(YamlFields.closed(node, "a command target", PlanKeys.COMMAND.keys(), problems));
            case "pid" -> process(YamlFields.closed(node, "a process target", PlanKeys.PROCESS.keys(), problems));
            default ->
                base(YamlFields.closed(node, "a url target", PlanKeys.URL.keys(), problems))
                        .map(Target.Url::new);
        };
    }

    private static List<String> allKeys() {
        return EnumSet.range(PlanKeys.EMBEDDED, PlanKeys.URL).stream()
                .flatMap(s -> s.keys().stream())
                .distinct()
                .toList();
    }

    /** An embedded server with a WAR or a sample app. */
    private Optional<Target> embedded(Node node, YamlFields shape) {
        if (shape.has("war") && shape.has("app")) {
            problems.add(shape.at("war"), "an embedded server has either 'app' (a sample app) or 'war', not both");
            return Optional.empty();
        }
        if (shape.has("war")) {
            return new DeployedReader(problems, this, folder, own)
                    .war(YamlFields.closed(node, "a WAR on an embedded server", PlanKeys.WAR.keys(), problems));
        }
        return embedded(YamlFields.closed(node, "an embedded target", PlanKeys.EMBEDDED.keys(), problems));
    }

    private Optional<Target> embedded(YamlFields f) {
        Optional<ServerKind> server = f.require("server", "tomcat").flatMap(this::server);
        Optional<String> app = f.require("app", "hello").flatMap(this::app);
        Map<String, String> options =
                f.get("options").map(n -> options(n, app.orElse(""))).orElse(Map.of());
        Optional<Backend> backend =
                f.get("backend").flatMap(n -> new Reading(problems, folder, 1).record(Backend.class, n, "backend"));
        if (app.isPresent()
                && f.has("backend")
                && Apps.defaultBackend(app.get()).isEmpty()) {
            problems.add(f.at("backend"), "the %s app calls no backend; only login does".formatted(app.get()));
        }
        Jvm jvm = jvm(f, 17);
        if (server.isEmpty() || app.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Target.Embedded(
                server.get(), app.get(), options, backend.or(() -> Apps.defaultBackend(app.get())), jvm));
    }

    Optional<ServerKind> server(Node node) {
        return scalars.oneOf(node, "server", ServerKind.ids()).flatMap(ServerKind::of);
    }

    Optional<String> app(Node node) {
        return scalars.oneOf(node, "app", Apps.names());
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
            Node wrong = known ? e.value() : e.keyNode();
            scalars.tried(wrong, known ? e.key() : "", text.get(), t -> Apps.canonical(app, e.key(), t))
                    .ifPresent(v -> out.put(e.key(), v));
        }
        return out;
    }

    /** Reports a port name that is almost one of the hooks'; any other name is a port of the target's own. */
    void port(Node node, String name) {
        if (!ports.contains(name)) {
            NearestName.nearest(name, ports)
                    .ifPresent(n -> problems.add(
                            node, "{port:%s}: no hook has it; did you mean {port:%s}?".formatted(name, n)));
        }
    }

    /** As {@link #port}, for all ports in a text. */
    void ports(Node node, String text) {
        Hooks.ports(text).forEach(name -> port(node, name));
    }

    /** The text of a file named in a plan. */
    Optional<String> contents(Node node) {
        return scalars.path(node, "from", folder).flatMap(from -> {
            problems.alsoRead(from);
            try {
                return Optional.of(PlanReader.text(from));
            } catch (PlanException e) {
                problems.add(
                        node,
                        "%s: %s"
                                .formatted(
                                        scalars.text(node, "from").orElse(""),
                                        e.problems().getFirst().message()));
                return Optional.empty();
            }
        });
    }

    Jvm jvm(YamlFields f, int oldest) {
        Optional<String> java = f.get("java")
                .flatMap(n -> mayCompare && n instanceof SequenceNode ? several(n, oldest) : java(n, oldest));
        List<String> flags = f.get("jvm").map(n -> scalars.flags(n, "jvm")).orElse(List.of());
        flags.forEach(flag -> ports(f.at("jvm"), flag));
        return new Jvm(java, flags);
    }

    /** Several JDKs to compare; other experiments use the first. */
    private Optional<String> several(Node node, int oldest) {
        for (Node item : scalars.list(node, "java")) {
            Optional<String> one = java(item, oldest);
            if (one.isPresent() && jdks.contains(one.get())) {
                problems.add(item, "%s is listed twice".formatted(one.get()));
            } else {
                one.ifPresent(jdks::add);
            }
        }
        if (jdks.size() == 1 && problems.none()) {
            problems.add(node, "java: one JDK needs no list; several are compared");
        }
        return jdks.stream().findFirst();
    }

    /** A feature release or a folder; the lab checks whether it exists. */
    Optional<String> java(Node node, int oldest) {
        Optional<String> text = scalars.text(node, "java");
        if (text.isEmpty()) {
            return text;
        }
        String t = text.get();
        if (t.matches("[0-9]{1,3}")) {
            if (Integer.parseInt(t) < oldest) {
                problems.add(node, "java %s is too old: at least %d".formatted(t, oldest));
            }
            return text;
        }
        if (!t.contains("/") && !t.contains("\\")) {
            problems.add(
                    node, "java is a feature release such as 25, or the home folder of a JDK, not '%s'".formatted(t));
            return Optional.empty();
        }
        return text;
    }

    private Optional<Target> process(YamlFields f) {
        Optional<Long> pid = f.get("pid").flatMap(n -> scalars.wholeNumber(n, "pid", 1, MOST_PID));
        Optional<URI> url = base(f);
        boolean live = flag(f, "live");
        boolean agent = flag(f, "agent");
        return pid.map(p -> new Target.Running(p, url, live, agent, Optional.empty()));
    }

    private boolean flag(YamlFields f, String key) {
        return f.get(key).flatMap(n -> scalars.bool(n, key)).orElse(false);
    }

    private Optional<URI> base(YamlFields f) {
        Optional<Node> node = f.get("url");
        Optional<String> text = node.flatMap(n -> scalars.text(n, "url"));
        if (node.isEmpty() || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(text.get());
            String wrong = wrong(uri);
            if (wrong.isEmpty()) {
                return Optional.of(uri);
            }
            problems.add(node.get(), wrong);
        } catch (URISyntaxException e) {
            problems.add(node.get(), "url is not a URL: %s".formatted(e.getReason()));
        }
        return Optional.empty();
    }

    private static String wrong(URI uri) {
        if ("ws".equalsIgnoreCase(uri.getScheme()) || "wss".equalsIgnoreCase(uri.getScheme())) {
            return "url starts with http:// or https://; that messages go there says load.protocol: websocket";
        }
        if (!"http".equalsIgnoreCase(uri.getScheme()) && !"https".equalsIgnoreCase(uri.getScheme())) {
            return "url starts with http:// or https://";
        }
        if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
            return "url needs a host and a port from 1 to 65535: http://127.0.0.1:8080";
        }
        if (uri.getRawUserInfo() != null) {
            return "a name and password in the url are not sent: say load.request.headers: {Authorization: Basic …}";
        }
        boolean bare = uri.getRawPath() == null
                || uri.getRawPath().isEmpty()
                || uri.getRawPath().equals("/");
        if (!bare || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            return "url is only http[s]://host:port; the path goes into load.request.path";
        }
        return "";
    }
}
