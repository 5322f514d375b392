package dev.fettle.model.read;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.Node;

/** Reads targets with the user's own application: a server's distribution, a WAR on an embedded server, a Spring Boot jar. */
final class DeployedReader {
    private static final List<String> STANDALONE = Arrays.stream(ServerKind.values())
            .filter(s -> s.rules().hasDistribution())
            .map(ServerKind::id)
            .toList();

    private final Problems problems;
    private final Scalars scalars;
    private final TargetReader targets;
    private final Path folder;
    private final OwnConfiguration own;

    /** @param folder base of relative paths */
    DeployedReader(Problems problems, TargetReader targets, Path folder, OwnConfiguration own) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.targets = targets;
        this.folder = folder;
        this.own = own;
    }

    Optional<Target> standalone(YamlFields f) {
        Optional<ServerKind> server = f.get("standalone")
                .flatMap(n -> scalars.oneOf(n, "standalone", STANDALONE))
                .flatMap(ServerKind::of);
        Optional<String> version = f.get("version").flatMap(this::version);
        Optional<String> home = f.get("home").flatMap(n -> folder(n, "home"));
        if (f.has("version") == f.has("home")) {
            problems.add(
                    f.has("home") ? f.at("home") : f.node(),
                    "a standalone target has either 'version' (a distribution to fetch, for example 11.0.24) or 'home'"
                            + " (your own)");
        }
        Optional<String> base = f.has("base") || f.has("war")
                ? f.get("base").flatMap(n -> folder(n, "base"))
                : home.filter(h -> isBase(Path.of(h)));
        Optional<String> war = f.get("war").flatMap(n -> war(n, server));
        String context = f.get("context").flatMap(this::context).orElse("/");
        if (f.has("context") && !f.has("war")) {
            problems.add(f.at("context"), "context has no effect without 'war'");
        }
        if (!f.has("war") && !f.has("base") && base.isEmpty()) {
            problems.add(
                    f.node(),
                    "nothing would be deployed: name a 'war', or a 'base' that holds web applications"
                            + home.map(h -> " (%s holds no webapps)".formatted(h))
                                    .orElse(""));
        }
        Target.Jvm jvm = targets.jvm(f, 11);
        return server.map(s -> new Target.Standalone(s, version, home, base, war, context, jvm, Setting.DEFAULT));
    }

    /**
     * The usual layout of a single server on a machine: its distribution also holds its configuration and web
     * applications.
     */
    private static boolean isBase(Path home) {
        return Files.isDirectory(home.resolve("webapps"));
    }

    Optional<Target> war(YamlFields f) {
        Optional<ServerKind> server = f.get("server").flatMap(targets::server);
        Optional<Path> war = f.get("war").flatMap(n -> existing(n, "war"));
        if (war.isPresent()
                && Files.isDirectory(war.get())
                && !Files.isDirectory(war.get().resolve("WEB-INF"))) {
            problems.add(
                    f.get("war").orElseThrow(),
                    "war: %s is no web application: a folder of one holds WEB-INF".formatted(war.get()));
        }
        String context = f.get("context").flatMap(this::context).orElse("/");
        Target.Jvm jvm = targets.jvm(f, 17);
        return war.flatMap(w -> server.map(s -> new Target.War(s, w.toString(), context, jvm)));
    }

    Optional<Target> boot(YamlFields f) {
        Optional<Path> jar = f.get("boot").flatMap(n -> resolved(n, "boot"));
        Optional<OwnConfiguration.BootApp> inside = jar.flatMap(
                j -> scalars.tried(f.get("boot").orElseThrow(), "", j.toString(), t -> own.look(Path.of(t))));
        var arguments = new ArrayList<String>();
        f.get("args")
                .ifPresent(n -> scalars.list(n, "args")
                        .forEach(a -> scalars.text(a, "an argument").ifPresent(text -> {
                            targets.ports(a, text);
                            arguments.add(text);
                        })));
        Target.Jvm jvm = targets.jvm(f, 17);
        return inside.map(b -> new Target.Boot(
                jar.orElseThrow().toString(), b.server(), b.version(), arguments, jvm, Setting.DEFAULT));
    }

    private Optional<String> version(Node node) {
        Optional<String> text = scalars.text(node, "version");
        if (text.isPresent() && !text.get().matches("[0-9]++\\.[0-9]++\\.[0-9][\\w.-]*+")) {
            problems.add(node, "version is one like 11.0.24, not '%s'".formatted(text.get()));
            return Optional.empty();
        }
        return text;
    }

    private Optional<String> folder(Node node, String key) {
        Optional<Path> path = resolved(node, key);
        if (path.isPresent() && !Files.isDirectory(path.get())) {
            problems.add(node, "%s: there is no folder %s".formatted(key, path.get()));
            return Optional.empty();
        }
        return path.map(Path::toString);
    }

    private Optional<String> war(Node node, Optional<ServerKind> server) {
        Optional<String> text = scalars.text(node, "war");
        if (text.isEmpty()) {
            return text;
        }
        if (text.get().equals(Target.Standalone.EXAMPLES)) {
            if (server.filter(s -> !s.rules().shipsExamples()).isPresent()) {
                String others = Arrays.stream(ServerKind.values())
                        .filter(s -> s.rules().shipsExamples())
                        .map(ServerKind::title)
                        .collect(Collectors.joining(" and "));
                problems.add(node, "only " + others + " ships examples; name the path of a WAR");
            }
            return text;
        }
        return existing(node, "war").map(Path::toString);
    }

    private Optional<Path> existing(Node node, String key) {
        Optional<Path> path = resolved(node, key);
        if (path.isPresent() && !Files.exists(path.get())) {
            problems.add(node, "%s: no such file: %s".formatted(key, path.get()));
            return Optional.empty();
        }
        return path;
    }

    private Optional<String> context(Node node) {
        Optional<String> text = scalars.text(node, "context");
        if (text.isPresent() && !text.get().matches("/|(?:/[\\w.~-]++)++")) {
            problems.add(node, "context is / or a path like /shop, not '%s'".formatted(text.get()));
            return Optional.empty();
        }
        return text;
    }

    private Optional<Path> resolved(Node node, String key) {
        return scalars.path(node, key, folder.toAbsolutePath());
    }
}
