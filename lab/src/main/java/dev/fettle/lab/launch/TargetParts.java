package dev.fettle.lab.launch;

import dev.fettle.lab.target.ServerAgent;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Target;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files and folders of which a target is made, whether they are there or not. Fettle's own servers get their class path
 * from here, too, so that a change of whatever runs in them is noticed.
 */
public final class TargetParts {
    private static final String SERVERS = "servers/build/fettle-servers.jar";
    private static final String LIBRARIES = "servers/build/lib";
    private static final String FAULTS = "servers/faults/build/";

    /** The sample app that is a file: the server deploys it as a WAR. */
    private static final String STATIC = "static";

    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");
    private static final Pattern WITH_CLASS_PATH = Pattern.compile("--(?:class|module)-path=(.*)");
    private static final Pattern PROGRAM = Pattern.compile("^.*\\.(?:jar|war|sh)");
    /** {@code -javaagent:/x.jar=options}, split at the colon. */
    private static final Pattern AGENT_OPTIONS = Pattern.compile("(?<=\\.jar)=.*");

    private static final String ALL_JARS = "/*";

    private TargetParts() {}

    /** Fettle's own parts that run in a target or next to it: jars and folders of jars, relative to Fettle's folder. */
    public static Set<String> ofFettle(Target target) {
        var parts = new LinkedHashSet<>(classPath(target));
        switch (target) {
            case Target.Embedded e -> e.backend().ifPresent(_ -> parts.addAll(ofBackend()));
            case Target.Standalone _, Target.Boot _ -> parts.add(ServerAgent.JAR);
            case Target.War _, Target.Command _, Target.Running _, Target.Url _ -> {}
        }
        return parts;
    }

    /** The class path of one of Fettle's own servers, as in {@link #ofFettle}. A WAR's is without the other servers. */
    static List<String> classPath(Target target) {
        return switch (target) {
            case Target.Embedded e when isStatic(e) -> ofWar(e.server());
            case Target.Embedded e
            when e.options().containsKey("fault") ->
                List.of(SERVERS, LIBRARIES, FAULTS + "fettle-faults.jar", FAULTS + "lib");
            case Target.Embedded _ -> List.of(SERVERS, LIBRARIES);
            case Target.War w -> ofWar(w.server());
            case Target.Standalone _, Target.Boot _, Target.Command _, Target.Running _, Target.Url _ -> List.of();
        };
    }

    /** The class path of a sample app's backend. */
    static List<String> ofBackend() {
        return List.of(SERVERS, LIBRARIES);
    }

    private static List<String> ofWar(ServerKind server) {
        return List.of(SERVERS, ServerAgent.JAR, "servers/war/" + server.id() + "/build/lib");
    }

    /** Whether a sample app is deployed as a WAR is. */
    static boolean isStatic(Target.Embedded target) {
        return target.app().equals(STATIC);
    }

    /** Whether a part is of the faults, which are built only when asked for. */
    static boolean isFault(String part) {
        return part.startsWith(FAULTS);
    }

    /** The user's parts, absolute: the program, and the server's home, base and configuration. What Fettle fetches is none. */
    static Set<Path> ofUser(Target target) {
        return switch (target) {
            case Target.War war -> Set.of(Path.of(war.war()));
            case Target.Boot boot -> ofBoot(Path.of(boot.jar()));
            case Target.Standalone standalone -> ofStandalone(standalone);
            case Target.Command command ->
                ofCommand(command.arguments().stream().flatMap(List::stream).toList());
            case Target.Embedded _, Target.Running _, Target.Url _ -> Set.of();
        };
    }

    /** The jar, and the configuration that {@link BootPlaces} finds next to it. */
    private static Set<Path> ofBoot(Path jar) {
        var parts = new LinkedHashSet<Path>();
        parts.add(jar);
        List.of("application.properties", "application.yml", "application.yaml", "config")
                .forEach(name -> parts.add(jar.resolveSibling(name)));
        return parts;
    }

    /** What a distribution is started from; the rest, such as logs, changes while it runs. */
    private static Set<Path> ofStandalone(Target.Standalone target) {
        DistributedServer server = DistributedServer.of(target.server());
        Optional<Path> own = server.own(target);
        var parts = new LinkedHashSet<Path>();
        Stream.concat(target.home().map(Path::of).stream(), own.stream())
                .forEach(folder -> server.program().forEach(name -> parts.add(folder.resolve(name))));
        own.ifPresent(folder -> {
            server.configuration().forEach(name -> parts.add(folder.resolve(name)));
            if (target.war().isEmpty()) {
                parts.add(folder.resolve(server.applications(folder)));
            }
        });
        target.war()
                .filter(war -> !war.equals(Target.Standalone.EXAMPLES))
                .map(Path::of)
                .ifPresent(parts::add);
        return parts;
    }

    /** The program or script itself, jars, and the pieces of a class path. */
    private static Set<Path> ofCommand(List<String> arguments) {
        var parts = new LinkedHashSet<Path>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            Matcher with = WITH_CLASS_PATH.matcher(argument);
            boolean classPath = with.matches() || i > 0 && CLASS_PATH.contains(arguments.get(i - 1));
            for (String piece : (with.matches() ? with.group(1) : argument).split(":")) {
                String file = classPath && piece.endsWith(ALL_JARS)
                        ? piece.substring(0, piece.length() - ALL_JARS.length())
                        : AGENT_OPTIONS.matcher(piece).replaceFirst("");
                if (classPath || i == 0 || PROGRAM.matcher(file).matches()) {
                    path(file).ifPresent(parts::add);
                }
            }
        }
        return parts;
    }

    private static Optional<Path> path(String text) {
        try {
            Path path = Path.of(text);
            return path.isAbsolute() ? Optional.of(path.normalize()) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
