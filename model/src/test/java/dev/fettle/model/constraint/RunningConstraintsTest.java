package dev.fettle.model.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.MBeanPlace;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunningConstraintsTest {
    private static final Setting IN_FORCE =
            Setting.of(Map.of("threads.max", "200", "threads.min", "10", "connections.max", "8192", "backlog", "100"));

    private static Target.Running process(boolean live, Optional<ServerKind> server, String... settable) {
        var found = new Target.Found(1, server, IN_FORCE, Set.of(settable));
        return new Target.Running(17, Optional.empty(), live, false, Optional.of(found));
    }

    private static List<String> check(Target target, String knob, String value) {
        return Constraints.check(target, Setting.of(knob, value), 2, 4096);
    }

    private final Target tomcat = process(true, Optional.of(ServerKind.TOMCAT), "threads.max", "threads.min");

    @Test
    void aLiveKnobOfItsMBeansCanBeSet() {
        assertThat(check(tomcat, "threads.max", "400")).isEmpty();
        assertThat(Constraints.check(tomcat, Setting.DEFAULT, 2, 4096)).isEmpty();
    }

    @Test
    void whatNeedsARestartOrHasNoMBeanIsRefusedWithTheReason() {
        for (String knob : List.of("backlog", "jvm.flags", "process.nice")) {
            assertThat(check(tomcat, knob, knob.equals("jvm.flags") ? "-Xint" : "5"))
                    .containsExactly(knob + " cannot be set: it needs a restart, and Fettle did not start process 17");
        }
        assertThat(check(tomcat, "connections.max", "900"))
                .singleElement()
                .asString()
                .contains("process 17 has no MBean that sets it", "server.tomcat.mbeanregistry.enabled=true");
        assertThat(check(process(true, Optional.of(ServerKind.JETTY)), "threads.max", "50"))
                .singleElement()
                .asString()
                .contains("module jmx");
        assertThat(check(process(true, Optional.empty()), "threads.max", "50"))
                .singleElement()
                .asString()
                .contains("no Tomcat, Jetty or Undertow was found");
        assertThat(check(process(false, Optional.of(ServerKind.TOMCAT), "threads.max"), "threads.max", "50"))
                .singleElement()
                .asString()
                .contains("only watched");
    }

    /** The smallest size goes down with the largest, so it is not in the way; one that is asked for is. */
    @Test
    void valuesInForceCountBesideTheSetting() {
        assertThat(check(tomcat, "threads.max", "4")).isEmpty();
        assertThat(check(tomcat, "threads.min", "300"))
                .singleElement()
                .asString()
                .contains("threads.min=300", "threads.max=200");
        assertThat(check(tomcat, "threads.max", "9000"))
                .singleElement()
                .asString()
                .contains("connections.max=8192");
    }

    /** What its owner runs it with is not Fettle's to judge. */
    @Test
    void whatIsWrongBeforeIsNotSaid() {
        var odd = new Target.Found(
                1, Optional.of(ServerKind.TOMCAT), IN_FORCE.with("connections.max", "50"), Set.of("threads.min"));
        var target = new Target.Running(17, Optional.empty(), true, false, Optional.of(odd));
        assertThat(check(target, "threads.min", "20")).isEmpty();
    }

    @Test
    void aPlaceInTheMBeansIsATypeAndAnAttribute() {
        for (Knob knob : Knobs.all()) {
            for (ServerKind server : ServerKind.values()) {
                assertThat(MBeanPlace.of(knob.on(server)))
                        .as(knob.name())
                        .allMatch(p -> !p.type().isEmpty() && !p.attribute().isEmpty());
            }
        }
        assertThat(MBeanPlace.of(Knobs.find("threads.max").orElseThrow().on(ServerKind.TOMCAT)))
                .containsExactly(new MBeanPlace("ThreadPool", "maxThreads"), new MBeanPlace("Executor", "maxThreads"));
    }
}
