package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inside each room the packages are floors: a package may use those before it in the list, never one that comes after. A room's
 * own package is {@code .} in its list.
 */
class PackagesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.fettle");

    private static final Map<String, List<String>> FLOORS = Map.of(
            "model",
                    List.of(
                            "text",
                            "knob",
                            "audit",
                            "load",
                            "target",
                            "constraint",
                            "trial",
                            "plan",
                            "read",
                            "imports"),
            "config", List.of(".", "process", "tomcat", "jetty", "undertow", "patch", "boot", "render", "audit"),
            "load",
                    List.of(
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
            "watch", List.of("signal", "host", "jvm", "jfr", "gclog", "."),
            "insight",
                    List.of(
                            "words",
                            "stats",
                            "surface",
                            ".",
                            "gate",
                            "explain",
                            "trials",
                            "diagnose",
                            "tune",
                            "compare",
                            "sweep",
                            "capacity",
                            "judge",
                            "audit"),
            "report", List.of(".", "recommend", "text", "knobs", "html", "json", "table", "audit"),
            "lab",
                    List.of(
                            "machine", "process", "journal", "engine", "target", "guest", "hooks", "launch", "check",
                            "measure", "audit", "."),
            "cli", List.of("terminal", "option", "run", "command", "."),
            "servers", List.of("war", "settings", "app", "launch", "tomcat", "jetty", "undertow", "."),
            "agent", List.of("."));

    /** Whoever wants more in one package has found a second concern. */
    private static final int MOST_FILES = 40;

    /** What of the load engine its users see; its own package beside that. */
    private static final Set<String> DOORS_OF_LOAD = Set.of(
            "dev.fettle.load.engine.LoadEngine",
            "dev.fettle.load.engine.Rehearsal",
            "dev.fettle.load.transport.tls.TlsSetup");

    static Set<String> rooms() {
        return new TreeSet<>(FLOORS.keySet());
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
            from.getDirectDependenciesFromSelf().forEach(d -> {
                JavaClass to = d.getTargetClass().getBaseComponentType();
                if (isIn(room, to) && floors.indexOf(floor(room, to)) > floor) {
                    upward.add(from.getName() + " uses " + to.getName());
                }
            });
        }
        assertThat(upward).isEmpty();
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
        for (JavaClass from : CLASSES) {
            if (!isIn("load", from) && !from.getPackageName().startsWith("dev.fettle.bench")) {
                from.getDirectDependenciesFromSelf().stream()
                        .map(d -> d.getTargetClass().getBaseComponentType())
                        .filter(to -> isIn("load", to) && !floor("load", to).equals("."))
                        .filter(to -> !DOORS_OF_LOAD.contains(to.getName().replaceFirst("\\$.*", "")))
                        .forEach(to -> others.add(from.getName() + " uses " + to.getName()));
            }
        }
        assertThat(others).isEmpty();
    }

    private static List<JavaClass> of(String room) {
        List<JavaClass> all = CLASSES.stream()
                .filter(c -> isIn(room, c) && !c.getSimpleName().equals("package-info"))
                .toList();
        assertThat(all).as("the classes of " + room).isNotEmpty();
        return all;
    }

    private static boolean isIn(String room, JavaClass c) {
        String own = "dev.fettle." + room;
        return c.getPackageName().equals(own) || c.getPackageName().startsWith(own + ".");
    }

    private static String floor(String room, JavaClass c) {
        return floor(room, c.getPackageName());
    }

    private static String floor(String room, String packageName) {
        String own = "dev.fettle." + room;
        return packageName.equals(own) ? "." : packageName.substring(own.length() + 1);
    }
}
