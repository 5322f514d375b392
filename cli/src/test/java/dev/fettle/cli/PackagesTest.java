package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.fettle.model.knob.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inside each room the packages are floors: a package may use those before it in the list, never one that comes after. A room's
 * own package is {@code .} in its list.
 */
class PackagesTest {
    private static final Map<String, List<String>> FLOORS = Map.of(
            "model",
                    List.of(
                            "text",
                            "key",
                            "rule",
                            "knob",
                            "audit",
                            "load",
                            "target",
                            "constraint",
                            "trial",
                            "plan",
                            "read",
                            "imports"),
            "config", withServers(List.of(".", "process"), List.of("patch", "boot", "render", "audit")),
            "load",
                    List.of(
                            "api",
                            "os",
                            "bytes",
                            ".",
                            "schedule",
                            "script",
                            "scenario",
                            "record",
                            "transport.uring",
                            "transport",
                            "transport.tls",
                            "client",
                            "http1",
                            "http2",
                            "websocket",
                            "engine"),
            "watch", List.of("signal", "host", "heap", "jvm.answer", "jvm", "jfr", "gclog", "accesslog", "crash", "."),
            "insight",
                    List.of(
                            "words",
                            "rules",
                            "stats",
                            "surface",
                            ".",
                            "gate",
                            "waits",
                            "explain",
                            "trials",
                            "diagnose",
                            "tune",
                            "compare",
                            "builds",
                            "sweep",
                            "capacity",
                            "judge",
                            "history",
                            "audit"),
            "report",
                    List.of(
                            ".",
                            "recommend",
                            "document",
                            "history",
                            "runs",
                            "text",
                            "markdown",
                            "knobs",
                            "html",
                            "json",
                            "table",
                            "audit"),
            "lab",
                    List.of(
                            "machine", "web", "port", "process", "journal", "engine", "target", "guest", "hooks",
                            "launch", "check", "measure", "source", "audit", "capture", "remote", "agents", "."),
            "cli", List.of("terminal", "option", "page", "run", "kept", "assist", "command", "."),
            "servers", withServers(List.of("war", "settings", "app", "launch"), List.of(".")),
            "agent", List.of("."));

    /** Rooms whose classes are not on the class path of this test: only their sources are looked at. */
    private static final Map<String, List<String>> FLOORS_OF_SOURCES = Map.of(
            "bench", List.of(".", "documents", "fuzz", "history", "truth", "tuner", "watch"), "faults", List.of("."));

    /** The rooms that the sources of those use, apart from themselves. */
    private static final Map<String, Set<String>> USED_BY_SOURCES =
            Map.of("bench", Set.of("model", "load", "watch", "insight", "lab"), "faults", Set.of("servers"));

    /** Packages of {@code insight} that know nothing of each other. */
    private static final List<String> EXPERIMENTS = List.of("tune", "compare", "builds", "sweep", "capacity");

    /** A package that is imported from; an import of a nested class or a static one counts for the package, too. */
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?((?:[a-z]\\w*\\.)*[a-z]\\w*)\\.[A-Z*].*;$");

    /** Whoever wants more in one package has found a second concern. */
    private static final int MOST_FILES = 40;

    /** The registries of servers, and where a server's name stands for something else: WildFly is a place of Undertow's. */
    private static final Set<String> NAMING_SERVERS = Set.of("ServerKind", "ConfigPlace", "WatchedServer");

    /** What of the load engine its users see, next to its own package and the values. */
    private static final Set<String> DOORS_OF_LOAD = Set.of(
            "dev.fettle.load.engine.LoadEngine",
            "dev.fettle.load.engine.Rehearsal",
            "dev.fettle.load.transport.tls.TlsSetup");

    /** The floors of a room in which each server has a package. */
    private static List<String> withServers(List<String> below, List<String> above) {
        return Stream.of(below, ServerKind.ids(), above).flatMap(List::stream).toList();
    }

    static Set<String> rooms() {
        return new TreeSet<>(FLOORS.keySet());
    }

    static Set<String> roomsAndSources() {
        Set<String> all = rooms();
        all.addAll(FLOORS_OF_SOURCES.keySet());
        return all;
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void arrowsPointDown(String room) {
        List<String> floors = FLOORS.get(room);
        Set<String> upward = new TreeSet<>();
        for (JavaClass from : of(room)) {
            int floor = floors.indexOf(floor(room, from));
            assertThat(floor)
                    .as("%s is in a package that is not in the list", from.getName())
                    .isNotNegative();
            usedBy(from)
                    .filter(to -> isIn(room, to) && floors.indexOf(floor(room, to)) > floor)
                    .forEach(to -> upward.add(from.getName() + " uses " + to.getName()));
        }
        assertThat(upward).isEmpty();
    }

    /** An import that only Javadoc needs leaves no trace in the class, so the sources are read as well. */
    @ParameterizedTest
    @MethodSource("roomsAndSources")
    void importsPointDown(String room) throws IOException {
        List<String> floors = FLOORS.getOrDefault(room, FLOORS_OF_SOURCES.getOrDefault(room, List.of()));
        Set<String> upward = new TreeSet<>();
        for (Path file : sources(room)) {
            int floor = floors.indexOf(floor(room, packageOf(room, file)));
            assertThat(floor)
                    .as("%s is in a package that is not in the list", file)
                    .isNotNegative();
            for (Matcher m = IMPORT.matcher(Files.readString(file)); m.find(); ) {
                if (isIn(room, m.group(1)) && floors.indexOf(floor(room, m.group(1))) > floor) {
                    upward.add(file + ": " + m.group());
                }
            }
        }
        assertThat(upward).isEmpty();
    }

    @Test
    void benchAndFaultsUseFewRooms() throws IOException {
        Set<String> wrong = new TreeSet<>();
        for (var uses : USED_BY_SOURCES.entrySet()) {
            for (Path file : sources(uses.getKey())) {
                for (Matcher m = IMPORT.matcher(Files.readString(file)); m.find(); ) {
                    String to = m.group(1);
                    if (to.startsWith("dev.fettle.")
                            && !isIn(uses.getKey(), to)
                            && uses.getValue().stream().noneMatch(room -> isIn(room, to))) {
                        wrong.add(file + ": " + m.group());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void noExperimentKnowsAnother() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass from : of("insight")) {
            String own = floor("insight", from);
            if (EXPERIMENTS.contains(own)) {
                usedBy(from)
                        .filter(to -> isIn("insight", to) && EXPERIMENTS.contains(floor("insight", to)))
                        .filter(to -> !floor("insight", to).equals(own))
                        .forEach(to -> wrong.add(from.getName() + " uses " + to.getName()));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aPackageIsSmallEnoughToBeRead(String room) {
        Map<String, Set<String>> files = new TreeMap<>();
        for (JavaClass c : of(room)) {
            String name = c.getName().replaceFirst("\\$.*", "");
            files.computeIfAbsent(c.getPackageName(), p -> new TreeSet<>()).add(name);
        }
        assertThat(files.keySet().stream().map(p -> floor(room, p)).toList())
                .as("packages in the list, and packages that are there")
                .containsExactlyInAnyOrderElementsOf(FLOORS.get(room));
        files.forEach((p, all) -> assertThat(all).as(p).hasSizeLessThanOrEqualTo(MOST_FILES));
    }

    @Test
    void theLoadEngineIsUsedThroughItsDoors() {
        List<String> others = new ArrayList<>();
        for (JavaClass from : OwnClasses.ALL) {
            if (!isIn("load", from) && !from.getPackageName().startsWith("dev.fettle.bench")) {
                usedBy(from)
                        .filter(to -> isIn("load", to) && !List.of(".", "api").contains(floor("load", to)))
                        .filter(to -> !DOORS_OF_LOAD.contains(to.getName().replaceFirst("\\$.*", "")))
                        .forEach(to -> others.add(from.getName() + " uses " + to.getName()));
            }
        }
        assertThat(others).isEmpty();
    }

    /**
     * Whatever differs from server to server stands in the server's own classes, which its constant and a registry a room name: nothing else
     * asks which server it is, so that a new one has no other place.
     */
    @ParameterizedTest
    @MethodSource("roomsAndSources")
    void onlyItsOwnClassesNameAServer(String room) throws IOException {
        String names = Stream.of(ServerKind.values()).map(Enum::name).collect(Collectors.joining("|"));
        var named = Pattern.compile("ServerKind\\.(?:" + names + ")\\b|\\bcase (?:" + names + ")\\b.*->");
        Set<String> wrong = new TreeSet<>();
        for (Path file : sources(room)) {
            String name = file.getFileName().toString().replace(".java", "");
            boolean own = Stream.of(ServerKind.values())
                    .anyMatch(s ->
                            name.contains(s.title()) || packageOf(room, file).endsWith("." + s.id()));
            if (!own && !NAMING_SERVERS.contains(name) && !packageOf(room, file).endsWith(".audit")) {
                for (Matcher m = named.matcher(Files.readString(file)); m.find(); ) {
                    wrong.add(name + ": " + m.group());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<JavaClass> of(String room) {
        List<JavaClass> all = OwnClasses.ALL.stream()
                .filter(c -> isIn(room, c) && !c.getSimpleName().equals("package-info"))
                .toList();
        assertThat(all).as("the classes of " + room).isNotEmpty();
        return all;
    }

    private static Stream<JavaClass> usedBy(JavaClass from) {
        return from.getDirectDependenciesFromSelf().stream()
                .map(d -> d.getTargetClass().getBaseComponentType());
    }

    private static List<Path> sources(String room) throws IOException {
        try (Stream<Path> files = Files.walk(folder(room).resolve("dev/fettle").resolve(room))) {
            List<Path> all = files.filter(f -> f.toString().endsWith(".java") && !f.endsWith("package-info.java"))
                    .toList();
            assertThat(all).as("the sources of " + room).isNotEmpty();
            return all;
        }
    }

    private static Path folder(String room) {
        return Fettle.home()
                .resolve(room.equals("faults") ? "servers/faults" : room)
                .resolve("src/main/java");
    }

    private static String packageOf(String room, Path file) {
        return folder(room).relativize(file.getParent()).toString().replace('/', '.');
    }

    private static boolean isIn(String room, JavaClass c) {
        return isIn(room, c.getPackageName());
    }

    private static boolean isIn(String room, String packageName) {
        String own = "dev.fettle." + room;
        return packageName.equals(own) || packageName.startsWith(own + ".");
    }

    private static String floor(String room, JavaClass c) {
        return floor(room, c.getPackageName());
    }

    private static String floor(String room, String packageName) {
        String own = "dev.fettle." + room;
        return packageName.equals(own) ? "." : packageName.substring(own.length() + 1);
    }
}
