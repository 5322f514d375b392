package dev.fettle.model.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target.Backend;
import dev.fettle.model.target.Target.Jvm;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each kind of target is capable of. */
class TargetTest {
    private static final Jvm JVM = new Jvm(Optional.of("25"), List.of("-Xmx1g"));
    private static final URI BASE = URI.create("http://127.0.0.1:8080");
    private static final Backend BACKEND = new Backend(Duration.ofMillis(50), 1000);

    private static final Map<String, Target> KINDS = Map.of(
            "embedded", new Target.Embedded(ServerKind.JETTY, "login", Map.of(), Optional.of(BACKEND), JVM),
            "war", new Target.War(ServerKind.UNDERTOW, "/a.war", "/", JVM),
            "standalone",
                    new Target.Standalone(
                            ServerKind.TOMCAT,
                            Optional.of("11.0.24"),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            "/",
                            JVM,
                            Setting.DEFAULT),
            "boot", new Target.Boot("/a.jar", ServerKind.TOMCAT, "4.1.1", List.of(), JVM, Setting.DEFAULT),
            "command", command(List.of("{java}")),
            "command-jvm", command(List.of("{java}"), List.of("{jvm}")),
            "running", new Target.Running(17, Optional.of(BASE), false, false, Optional.empty()),
            "url", new Target.Url(BASE));

    @SafeVarargs
    private static Target command(List<String>... arguments) {
        return new Target.Command(
                List.of(arguments), Map.of(), Map.of(), Map.of(), Map.of(), Optional.empty(), Map.of(), JVM);
    }

    private static Target kind(String name) {
        return Optional.ofNullable(KINDS.get(name)).orElseThrow();
    }

    @Test
    void everyKindIsHere() {
        assertThat(KINDS.values().stream().map(Object::getClass).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(Target.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            embedded    | launched process connector certificate flags jvm backend movable
            war         | launched process connector certificate flags jvm movable
            standalone  | launched process connector certificate flags jvm files
            boot        | launched process connector properties flags jvm files
            command     | launched process jvm
            command-jvm | launched process flags jvm
            running     | process url
            url         | url
            """)
    void isCapableOf(String name, String expected) {
        Target target = kind(name);
        Set<String> can = new TreeSet<>();
        add(can, "launched", target.isLaunched());
        add(can, "process", target.hasProcess());
        add(can, "connector", target.hasConnector());
        add(can, "certificate", target.getsCertificate());
        add(can, "properties", target.takesProperties());
        add(can, "flags", target.takesFlags());
        add(can, "jvm", target.jvm().equals(JVM));
        add(can, "url", target.url().equals(Optional.of(BASE)));
        add(can, "backend", target.backend().isPresent());
        add(can, "movable", target.movable());
        Setting own = Setting.of("threads.max", "50");
        add(can, "files", target.configured(own).configured().equals(own));
        assertThat(can).isEqualTo(new TreeSet<>(Arrays.asList(expected.split(" "))));
    }

    private static void add(Set<String> can, String what, boolean is) {
        if (is) {
            can.add(what);
        }
    }

    @Test
    void onlyWhatCallsABackendGetsAnother() {
        var other = new Backend(Duration.ZERO, 1);
        for (Target target : KINDS.values()) {
            Target changed = target.calling(other);
            if (target.backend().isPresent()) {
                assertThat(changed.backend()).hasValue(other);
                assertThat(changed.calling(BACKEND)).isEqualTo(target);
            } else {
                assertThat(changed).isSameAs(target);
            }
        }
    }
}
