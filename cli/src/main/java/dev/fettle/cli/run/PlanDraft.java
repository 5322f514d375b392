package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.read.PlanReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * A commented plan to start from: first the scenario, then the environment, the objective, and how it is isolated from
 * other load.
 *
 * @param what a jar, a WAR, a server's folder, a process id or a URL; empty: the bundled login page
 * @param path to request
 * @param clients number of users at once
 * @param goal {@code throughput}, or a bound on p99 such as {@code 50ms}
 * @param out where it is written; empty: nowhere, and all paths are absolute
 */
public record PlanDraft(String what, String path, int clients, String goal, Optional<Path> out) {
    /** The plan's JSON Schema, with its version: a file next to the plan, so that editors have it without a network, and a team with its plan. */
    public static final String SCHEMA = "fettle-plan-1.schema.json";

    /** What a request's path may be. */
    public static final String PATH = "/[!-~&&[^\"\\\\]]*";

    /** How long a plan's name may be. */
    private static final int MOST_OF_A_NAME = 64;

    private static final String SERVERS = String.join(" | ", ServerKind.ids());

    private static final String KNOBS =
            "knobs:\n  threads.max: {from: 8, to: 1000}        # all others: fettle knobs\n";

    /** The parts of the plan that depend on the kind of target. */
    private record Found(String name, String target, String about, String knobs, String isolation) {
        /** What to do with the plan. */
        String command() {
            return knobs.contains("sweep:")
                    ? "fettle sweep THIS-FILE      how it changes with the number of users"
                    : "fettle tune THIS-FILE       finds a better setting and proves it";
        }
    }

    /**
     * The plan's text. What lies in the plan's repository, or below its folder, has a path relative to the plan: both can be committed. Other
     * paths are absolute.
     */
    public String text() {
        Found f = found();
        boolean throughput = goal.equals("throughput");
        return """
                # yaml-language-server: $schema=%s
                #
                # %s
                #   fettle check THIS-FILE      what is wrong with it, and what it would do
                #   %s

                name: %s

                # 1. Scenario: what users do. One request here; for a flow with a log-in, data and checks see docs/scenarios.md
                #    (fettle import makes one of a browser's recording).
                load:
                  connections: %d             # users at once, each waits for its answer. Instead: 'rate: 1000/s', users who come on a
                                               # schedule and open as many connections as it takes, up to 1000
                  request: {method: GET, path: "%s"}
                  expect: {status: 200}        # add 'contains: TEXT' of the right page: an error page is fast, too
                  timeout: 10s
                  warm-up: 20s                 # at most; it ends when the target is steady
                  measure: 5s

                # 2. Environment: what is tested, as it runs in production (Java, heap, configuration, data).
                %s
                # 3. Target figures: what is better, and what must hold.
                objective:
                  maximize: throughput
                  limits: {p99: %s, errors: 0.1%%}
                %s
                # What may be changed to get there.
                %s
                # 4. Isolation: %s
                budget: {trials: 8, time: 5m, pairs: 4}
                """.formatted(
                        SCHEMA,
                        f.about(),
                        f.command(),
                        f.name(),
                        clients,
                        requested(),
                        f.target(),
                        throughput ? "1s" : goal,
                        throughput
                                ? ""
                                : "slo: p99<" + goal
                                        + ",errors<0.1%           # for fettle capacity: the highest rate that meets it\n",
                        f.knobs(),
                        f.isolation());
    }

    /** The schema's text. */
    public static String schema() {
        try (InputStream in = PlanReader.class.getResourceAsStream("/dev/fettle/plan.schema.json")) {
            return new String(Objects.requireNonNull(in, SCHEMA).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a target is a URL that says what to request. */
    public static boolean namesPath(String what) {
        return isUrl(what) && !ofUrl(what).equals("/");
    }

    /** The path that is given; of a URL with one, its own. */
    private String requested() {
        if (!namesPath(what)) {
            return path;
        }
        String own = ofUrl(what);
        if (!path.equals("/") && !path.equals(own)) {
            throw Parse.usage("--path " + path + ": the URL says " + own + " already; leave one of them out");
        }
        if (!own.matches(PATH)) {
            throw Parse.usage(
                    what + ": its path must hold no blanks, quotes or backslashes; write them as %20, %22, %5C");
        }
        return own;
    }

    private static String ofUrl(String url) {
        String own = url.replaceFirst("^[^:]+://[^/?#]*", "").replaceFirst("#.*", "");
        return own.startsWith("/") ? own : "/" + own;
    }

    /** Whether a target is a URL. */
    public static boolean isUrl(String what) {
        return what.matches("(?i)https?://.*");
    }

    private Found found() {
        String fresh = "fresh processes on CPUs of their own prove a winner; nothing else should run on this machine.";
        if (what.isEmpty()) {
            return new Found(
                    "login-page",
                    "target:\n  server: tomcat                # " + SERVERS
                            + "\n  app: login\n  backend: {delay: 50ms}\n",
                    "The bundled login page; name a jar, a server's folder, a process or a URL for your own.",
                    KNOBS,
                    fresh);
        }
        if (what.matches("[0-9]{1,7}")) {
            return new Found(
                    "process-" + what,
                    "target:\n  pid: " + what
                            + "\n  live: false                  # true: Fettle may set live knobs through MBeans, and puts"
                            + " them back\n",
                    "Process " + what + ", which runs already: it is loaded and watched, never started or ended.",
                    "# knobs:                      # with 'live: true'\n#   threads.max: {from: 8, to: 400}\nsweep: {grid: {load.connections: [10, 50, 200]}, repeats: 2}\n",
                    "the process is the one that others may use: choose a quiet time, or a copy of it.");
        }
        if (isUrl(what)) {
            return new Found(
                    "url",
                    "target: {url: \"" + what.replaceFirst("^([^:]+://[^/?#]*).*", "$1") + "\"}\n",
                    "Something that is up already: it is loaded, and nothing else is known of it.",
                    "sweep: {grid: {load.connections: [10, 50, 200]}, repeats: 2}\n",
                    "only load what is yours; Fettle refuses all but loopback addresses without --own-host.");
        }
        return onDisk(Path.of(what).toAbsolutePath().normalize(), fresh);
    }

    /** A plan's name made of a file's. */
    private static String name(Path file) {
        String own = String.valueOf(file.getFileName())
                .replaceFirst("\\.(jar|war)$", "")
                .replaceAll("[^A-Za-z0-9._-]", "-")
                .replaceFirst("^[._-]+", "");
        String name = own.substring(0, Math.min(own.length(), MOST_OF_A_NAME));
        // without quotes YAML's null is no text
        return name.isEmpty() ? "app" : name.equalsIgnoreCase("null") ? '"' + name + '"' : name;
    }

    private String quoted(Path file) {
        return '"'
                + out.map(o -> o.toAbsolutePath().normalize().getParent())
                        .filter(folder -> file.startsWith(CiDraft.root(folder)) && !file.equals(folder))
                        .map(folder -> folder.relativize(file))
                        .orElse(file)
                        .toString()
                        .replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                + '"';
    }

    private Found onDisk(Path file, String fresh) {
        String name = name(file);
        String place = quoted(file);
        String lower = file.toString().toLowerCase(Locale.ROOT);
        if (Files.isRegularFile(file) && lower.endsWith(".jar")) {
            return new Found(
                    name,
                    "target:\n  boot: " + place
                            + "\n  # args: [--spring.profiles.active=load]\n  jvm: [-Xms512m, -Xmx512m]\n",
                    "A Spring Boot jar: its own configuration is the baseline.",
                    KNOBS
                            + "\n# A knob of the application's own, its connection pool say (docs/plans.md#own-knobs):\n# own:\n#   pool: {type: int,"
                            + " from: 1, to: 200, set: {property: spring.datasource.hikari.maximum-pool-size}, read: {actuator:"
                            + " hikaricp.connections.max}}\n",
                    fresh);
        }
        if (lower.endsWith(".war") || Files.isDirectory(file.resolve("WEB-INF"))) {
            return new Found(
                    name,
                    "target:\n  server: tomcat                # " + SERVERS
                            + ", embedded; 'standalone: tomcat' for a distribution\n  war: " + place
                            + "\n  context: /\n",
                    "A WAR on an embedded server.",
                    KNOBS,
                    fresh);
        }
        Optional<OwnFiles.Installed> installed = OwnFiles.look(file);
        if (installed.isPresent()) {
            OwnFiles.Installed server = installed.get();
            return new Found(
                    name,
                    "target:\n  standalone: " + server.server().id() + "\n"
                            + (server.isHome()
                                    ? "  home: " + place + "\n" + (server.needsBase() ? "  base: " + place + "\n" : "")
                                    : "  version: " + server.example()
                                            + "            # or home: your own distribution\n  base: " + place
                                            + "\n"),
                    "Your " + server.server().title()
                            + ": each trial runs a private copy of its configuration, which is the baseline.",
                    KNOBS,
                    fresh);
        }
        throw Parse.usage(
                Files.exists(file)
                        ? file + " is neither a jar, nor a WAR, nor a folder with " + OwnFiles.marks()
                        : "there is no " + file);
    }
}
