package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.NEEDS;
import static dev.fettle.model.key.Rule.Kind.ONE;
import static dev.fettle.model.key.Rule.Kind.SOME;

import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Target;
import dev.fettle.model.target.Target.Backend;
import dev.fettle.model.target.Target.Jvm;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.Node;

/** The keys of {@code target}; which kind it is, some of them decide. */
@Section(
        value = "target",
        doc =
                "What is put under test: an embedded server, a server's distribution, a Spring Boot jar, a command, a process that runs already, or a URL.")
sealed interface TargetKeys extends Written<Target>
        permits TargetKeys.Embedded,
                TargetKeys.War,
                TargetKeys.Standalone,
                TargetKeys.Boot,
                CommandKeys,
                TargetKeys.Process,
                TargetKeys.Url {
    String SERVER = "The server.";
    String JAVA = "Which JDK runs the target, or several to compare; without it, the one that runs Fettle.";
    String JVM = "JVM flags of every trial, for example -Xmx512m.";
    String CONTEXT = "Where it is deployed: / or /shop.";
    /** Bounded: each part of a path costs a frame of the stack when it is matched. */
    String PATH = "/|(/[\\w.~-]+){1,64}";

    String NO_PATH = "context is / or a path like /shop, not '%s'";

    /** The kind of a target, which the first key of one decides; empty if none or several are there, which is reported. */
    static Optional<Class<?>> kind(Node node, Problems problems) {
        YamlFields shape = YamlFields.open(node, "target", new Problems(""));
        Class<?>[] kinds = TargetKeys.class.getPermittedSubclasses();
        List<String> named = Arrays.stream(kinds)
                .map(k -> Binder.keys(k).getFirst())
                .distinct()
                .filter(shape::has)
                .filter(k -> !(k.equals("url") && shape.has("pid"))) // a process may have one, too
                .toList();
        if (named.size() > 1) {
            problems.add(
                    shape.at(named.get(1)),
                    "a target has either '%s' or '%s', not both".formatted(named.get(0), named.get(1)));
            return Optional.empty();
        }
        if (named.isEmpty()) {
            List<String> keys = Arrays.stream(kinds)
                    .flatMap(k -> Binder.keys(k).stream())
                    .distinct()
                    .toList();
            if (YamlFields.closed(node, "target", keys, problems).size() > 0 || problems.none()) {
                problems.add(
                        node,
                        "target needs 'server' (an embedded server), 'standalone' (a server's distribution), 'boot' (a Spring"
                                + " Boot jar), 'command' (a program to start), 'pid' (a process that runs already) or 'url'"
                                + " (already up)");
            }
            return Optional.empty();
        }
        if (shape.has("server") && shape.has("war") && shape.has("app")) {
            problems.add(shape.at("war"), "an embedded server has either 'app' (a sample app) or 'war', not both");
            return Optional.empty();
        }
        return Arrays.stream(kinds)
                .filter(k -> Binder.keys(k).getFirst().equals(named.getFirst()))
                .filter(k -> !(k == Embedded.class && shape.has("war")))
                .findFirst();
    }

    /** Its JVM; of several JDKs the first. */
    static Jvm jvm(YamlFields at, List<String> java, List<String> flags, Reading reading) {
        flags.forEach(flag -> reading.ports(at.at("jvm"), flag));
        return new Jvm(java.stream().findFirst(), flags);
    }

    /** An embedded server with a sample app. */
    @Section(
            value = "embedded",
            what = "an embedded target",
            doc = "An embedded server with a sample app, in a JVM of its own.")
    record Embedded(
            YamlFields at,

            @Key(value = SERVER, form = Form.SERVER, required = "tomcat")
            Optional<ServerKind> server,

            @Key(
                    value =
                            "hello: a fixed page. work: burns CPU and waits. payload: a body of a given size and type. static: a file, which the server itself serves. login: a page that calls a backend.",
                    form = Form.APP,
                    required = "hello")
            Optional<String> app,

            @Key(value = "Options of the sample app.", form = Form.OPTIONS)
            Optional<Node> options,

            @Key("The separate process that the login app calls.")
            Optional<Backend> backend,

            @Key(value = JAVA, form = Form.JDKS) @Range(from = "17")
            List<String> java,

            @Key(value = JVM, form = Form.FLAGS) List<String> jvm)
            implements TargetKeys {
        @Override
        public Optional<Target> value(Reading reading) {
            Map<String, String> of =
                    options.map(n -> reading.options(n, app.orElse(""))).orElse(Map.of());
            Optional<Backend> usual = app.flatMap(Apps::defaultBackend);
            if (app.isPresent() && at.has("backend") && usual.isEmpty()) {
                at.wrong("backend", "the %s app calls no backend; only login does".formatted(app.get()));
            }
            Jvm on = TargetKeys.jvm(at, java, jvm, reading);
            return server.flatMap(s -> app.map(a -> new Target.Embedded(s, a, of, backend.or(() -> usual), on)));
        }
    }

    /** An embedded server with a WAR. */
    @Section(
            value = "war",
            what = "a WAR on an embedded server",
            doc = "An embedded server with a web application of your own, in a JVM of its own.")
    record War(
            YamlFields at,

            @Key(value = SERVER, form = Form.SERVER, required = "tomcat")
            Optional<ServerKind> server,

            @Key(value = "What is deployed: a WAR or its folder.", form = Form.FILE, required = "shop.war")
            Optional<Path> war,

            @Key(CONTEXT) @Matches(value = PATH, says = NO_PATH) @Default("/")
            String context,

            @Key(value = JAVA, form = Form.JDKS) @Range(from = "17")
            List<String> java,

            @Key(value = JVM, form = Form.FLAGS) List<String> jvm)
            implements TargetKeys {
        @Override
        public Optional<Target> value(Reading reading) {
            war.filter(w -> Files.isDirectory(w) && !Files.isDirectory(w.resolve("WEB-INF")))
                    .ifPresent(w -> reading.problems()
                            .add(
                                    at.get("war").orElseThrow(),
                                    "war: %s is no web application: a folder of one holds WEB-INF".formatted(w)));
            Jvm on = TargetKeys.jvm(at, java, jvm, reading);
            return war.flatMap(w -> server.map(s -> new Target.War(s, w.toString(), context, on)));
        }
    }

    /** A server's distribution. */
    @Section(
            value = "standalone",
            what = "a standalone target",
            doc =
                    "A server's distribution with web applications in it; each trial gets a private copy of its configuration.")
    @Rule(
            kind = ONE,
            keys = "version home",
            says = "%s has either 'version' (a distribution to fetch, for example 11.0.24) or 'home' (your own)")
    @Rule(kind = NEEDS, keys = "context war", says = "context has no effect without 'war'")
    @Rule(kind = SOME, keys = "war base home", says = Standalone.NOTHING)
    record Standalone(
            YamlFields at,

            @Key(value = SERVER, form = Form.DISTRIBUTION, required = "tomcat")
            Optional<ServerKind> standalone,

            @Key("The distribution to fetch from Maven Central, for example 11.0.24.")
            @Matches(value = "[0-9]+\\.[0-9]+\\.[0-9][\\w.-]*", says = "version is one like 11.0.24, not '%s'")
            Optional<String> version,

            @Key(value = "Your own distribution: CATALINA_HOME or JETTY_HOME.", form = Form.FOLDER)
            Optional<String> home,

            @Key(value = "Your own CATALINA_BASE or jetty.base; its configuration is the baseline.", form = Form.FOLDER)
            Optional<String> base,

            @Key(value = "What is deployed: a WAR, its folder, or 'examples' for Tomcat's own.", form = Form.FILE)
            Optional<Node> war,

            @Key(CONTEXT) @Matches(value = PATH, says = NO_PATH) @Default("/")
            String context,

            @Key(value = JAVA, form = Form.JDKS) @Range(from = "11")
            List<String> java,

            @Key(value = JVM, form = Form.FLAGS) List<String> jvm)
            implements TargetKeys {
        static final String NOTHING =
                "nothing would be deployed: name a 'war', or a 'base' that holds web applications";

        @Override
        public Optional<Target> value(Reading reading) {
            // the usual layout of a single server on a machine: its distribution holds its applications, too
            Optional<String> own = at.has("base") || at.has("war")
                    ? base
                    : home.filter(h -> Files.isDirectory(Path.of(h).resolve("webapps")));
            Optional<String> deployed = war.flatMap(n -> deployed(n, reading));
            if (!at.has("war") && !at.has("base") && home.isPresent() && own.isEmpty()) {
                reading.problems().add(at.node(), NOTHING + " (%s holds no webapps)".formatted(home.get()));
            }
            Jvm on = TargetKeys.jvm(at, java, jvm, reading);
            return standalone.map(
                    s -> new Target.Standalone(s, version, home, own, deployed, context, on, Setting.DEFAULT));
        }

        private Optional<String> deployed(Node node, Reading reading) {
            Optional<String> text = reading.scalars().text(node, "war");
            if (!text.equals(Optional.of(Target.Standalone.EXAMPLES))) {
                return text.flatMap(t -> reading.existing(node, "war")).map(Path::toString);
            }
            if (standalone.filter(s -> !s.rules().shipsExamples()).isPresent()) {
                String others = Arrays.stream(ServerKind.values())
                        .filter(s -> s.rules().shipsExamples())
                        .map(ServerKind::title)
                        .collect(Collectors.joining(" and "));
                reading.problems().add(node, "only " + others + " ships examples; name the path of a WAR");
            }
            return text;
        }
    }

    /** A Spring Boot jar. */
    @Section(
            value = "boot",
            what = "a Spring Boot target",
            doc = "An executable jar of Spring Boot; the server inside is found by itself.")
    record Boot(
            YamlFields at,
            @Key(value = "The jar.", required = "app.jar") Optional<Placed<Path>> boot,

            @Key(value = "Arguments of the application, before those that set knobs.", item = "an argument")
            List<Placed<String>> args,

            @Key(value = JAVA, form = Form.JDKS) @Range(from = "17")
            List<String> java,

            @Key(value = JVM, form = Form.FLAGS) List<String> jvm)
            implements TargetKeys {
        @Override
        public Optional<Target> value(Reading reading) {
            var arguments = new ArrayList<String>();
            for (Placed<String> argument : args) {
                reading.ports(argument.at(), argument.value());
                arguments.add(argument.value());
            }
            Jvm on = TargetKeys.jvm(at, java, jvm, reading);
            return boot.flatMap(jar -> reading.boot(jar)
                    .map(app -> new Target.Boot(
                            jar.value().toString(), app.server(), app.version(), arguments, on, Setting.DEFAULT)));
        }
    }

    /** A process that runs already. */
    @Section(
            value = "process",
            what = "a process target",
            doc = "A process of this machine and user that runs already: loaded and watched, never started or ended.")
    record Process(
            @Key(value = "Its process id.", required = "4711") @Range(from = "1", to = "4194304")
            Optional<Long> pid,

            @Key(
                    value = "http://host:port where it is loaded; without it, its one port that speaks HTTP.",
                    form = Form.BASE)
            Optional<URI> url,

            @Key("Let live knobs be set in it, through its MBeans; each comes back to its old value after the trial.")
            boolean live,

            @Key(
                    "Load Fettle's agent into it, which reads what the MBeans do not report and stays there until the process ends.")
            boolean agent)
            implements TargetKeys {
        @Override
        public Optional<Target> value(Reading reading) {
            return pid.map(p -> new Target.Running(p, url, live, agent, Optional.empty()));
        }
    }

    /** A server that is up. */
    @Section(value = "url", what = "a url target", doc = "A server that is already up: load only, no knobs.")
    record Url(
            @Key(value = "http://host:port or https://host:port", form = Form.BASE, required = "http://127.0.0.1:8080")
            Optional<URI> url)
            implements TargetKeys {
        @Override
        public Optional<Target> value(Reading reading) {
            return url.map(Target.Url::new);
        }
    }
}
