package dev.fettle.model.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Defaults;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConstraintsTest {

    private static List<String> reasons(ServerKind server, Setting setting, int cpus, int somaxconn) {
        return Constraints.server(server, setting, cpus, somaxconn, Target.Jvm.SAME).stream()
                .map(Constraints.Reason::text)
                .toList();
    }

    static Stream<Arguments> reasons() {
        return Stream.of(
                bad(
                        "jetty",
                        "threads.max=3",
                        "threads.max=3 is below Jetty's thread budget: 1 acceptor + 1 selector + 1 reserved + 1 = 4 needed"),
                fine("jetty", "threads.max=4"),
                fine("jetty", "threads.max=4 threads.acceptors=1 threads.selectors=1 threads.reserved=1"),
                bad(
                        "jetty",
                        "threads.max=10 threads.acceptors=2 threads.selectors=6 threads.reserved=2",
                        "threads.max=10 is below Jetty's thread budget: 2 acceptors + 6 selectors + 2 reserved + 1 = 11 needed"),
                fine("jetty", "threads.max=11 threads.acceptors=2 threads.selectors=6 threads.reserved=2"),
                fine("jetty", "threads.max=2 threads.acceptors=0 threads.reserved=0"),
                bad(
                        "jetty",
                        "threads.max=2 threads.virtual=true",
                        "threads.max=2 is below Jetty's thread budget: 1 acceptor + 1 selector + 0 reserved + 1 = 3 needed"),
                fine("jetty", "threads.max=3 threads.virtual=true"),
                bad(
                        "jetty",
                        "threads.virtual=true threads.min=3 threads.reserved=2",
                        "threads.min has no effect on Jetty with threads.virtual=true",
                        "threads.reserved has no effect on Jetty with threads.virtual=true"),
                bad("jetty", "threads.acceptors=3", "threads.acceptors=3 is above the server's 2 CPUs"),
                bad("jetty", "threads.max=20 threads.min=21", "threads.min=21 is above threads.max=20"),
                bad("jetty", "threads.min=201", "threads.min=201 is above threads.max=200, Jetty's default"),
                bad(
                        "jetty",
                        "keepalive.requests=-1",
                        "keepalive.requests does not exist on Jetty: Jetty never closes a connection for its number of requests; leave keepalive.requests out"),
                bad(
                        "jetty",
                        "queue.max=100",
                        "queue.max does not exist on Jetty: a bounded pool queue makes Jetty drop connections;"
                                + " use admission.max and admission.queue instead"),
                bad("jetty", "admission.queue=5", "admission.queue has no effect without admission.max"),
                fine("jetty", "admission.max=5 admission.queue=0"),
                fine("tomcat", "threads.max=5"),
                bad("tomcat", "threads.max=5 threads.min=6", "threads.min=6 is above threads.max=5"),
                bad("tomcat", "threads.min=201", "threads.min=201 is above threads.max=200, Tomcat's default"),
                bad("tomcat", "threads.min=0", "threads.min=0: Tomcat needs at least 1"),
                bad(
                        "tomcat",
                        "threads.acceptors=1",
                        "threads.acceptors does not exist on Tomcat: Tomcat always has 1; use backlog and connections.max"),
                bad(
                        "tomcat",
                        "admission.max=5 admission.queue=5",
                        "admission.queue does not exist on Tomcat: Tomcat's SemaphoreValve has no bounded queue;"
                                + " use admission.max alone, or queue.max instead"),
                bad(
                        "tomcat",
                        "threads.virtual=true threads.max=5",
                        "threads.max has no effect on Tomcat with threads.virtual=true"),
                fine("tomcat", "threads.virtual=false threads.max=5"),
                bad(
                        "tomcat",
                        "connections.max=100 threads.max=150",
                        "connections.max=100 is below threads.max=150: 50 threads could never be busy over HTTP/1.1"),
                fine("tomcat", "connections.max=-1 threads.max=150 keepalive.requests=-1 keepalive.timeout=-1"),
                bad(
                        "tomcat",
                        "keepalive.requests=0",
                        "keepalive.requests=0 has no meaning: at least 1, or -1 for no limit"),
                bad("undertow", "threads.min=17", "threads.min=17 is above threads.max=16, Undertow's default"),
                fine("undertow", "threads.min=16 threads.selectors=4"),
                bad(
                        "undertow",
                        "admission.max=3 admission.queue=0",
                        "admission.queue=0: Undertow takes 0 as an unlimited queue; use 1 or more"),
                bad(
                        "undertow",
                        "threads.reserved=1",
                        "threads.reserved does not exist on Undertow: only Jetty has reserved threads; use threads.min"),
                bad(
                        "undertow",
                        "backlog=4097",
                        "backlog=4097 is above net.core.somaxconn=4096: the kernel would cut it to 4096"),
                fine("undertow", "backlog=4096"),
                bad(
                        "tomcat",
                        "jvm.gc=g1 jvm.flags=-XX:+UseZGC",
                        "jvm.gc=g1: jvm.flags already choose a collector with -XX:+UseZGC; the JVM would not start"),
                bad(
                        "tomcat",
                        "jvm.heap=64m jvm.flags=-Xmx1g",
                        "jvm.flags and jvm.heap both set the heap size: keep one"),
                fine("tomcat", "jvm.heap=64m jvm.flags=-XX:+UseNUMA"),
                bad("tomcat", "jvm.heap=1m", "jvm.heap=1m is out of range: 16m to 512g"),
                bad("tomcat", "threads.max=many", "threads.max is a whole number from 1 to 20000, not 'many'"),
                bad("tomcat", "thread.max=5", "unknown knob 'thread.max'; did you mean 'threads.max'?"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void tellsWhatCannotWork(ServerKind server, Setting setting, List<String> expected) {
        assertThat(reasons(server, setting, 2, 4096)).containsExactlyElementsOf(expected);
    }

    @Test
    void withoutSomaxconnNoBacklogIsTooLong() {
        assertThat(reasons(ServerKind.TOMCAT, Setting.of("backlog", "60000"), 2, Integer.MAX_VALUE))
                .isEmpty();
    }

    /** The table of leases that Jetty's own formulas give (acceptors, selectors, reserved). */
    @ParameterizedTest
    @CsvSource({
        "1,200,1,1,1", "2,200,1,1,2", "4,200,1,2,4", "8,200,1,4,8", "16,200,1,8,16", "32,200,1,12,32",
        "1,16,1,1,1", "2,16,1,1,2", "4,16,1,1,2", "8,16,1,1,2", "16,16,1,1,2", "32,16,1,1,2"
    })
    void jettysDefaults(int cpus, int max, long acceptors, long selectors, long reserved) {
        Setting s = Setting.of("threads.max", Integer.toString(max));

        assertThat(Defaults.effective(ServerKind.JETTY, "threads.acceptors", s, cpus))
                .hasValue(acceptors);
        assertThat(Defaults.effective(ServerKind.JETTY, "threads.selectors", s, cpus))
                .hasValue(selectors);
        assertThat(Defaults.effective(ServerKind.JETTY, "threads.reserved", s, cpus))
                .hasValue(reserved);
    }

    /** Brute force over leases counted one by one, against the closed form in the message. */
    @Test
    void jettysBudgetByBruteForce() {
        for (int cpus = 1; cpus <= 64; cpus++) {
            for (int max = 1; max <= 300; max++) {
                int reserved = 1;
                while (reserved < Math.min(cpus, max / 8)) {
                    reserved *= 2;
                }
                int left = max - 1 - Math.max(1, Math.min(cpus / 2, max / 16)) - reserved;
                boolean starts = left > 0;
                Setting s = Setting.of("threads.max", Integer.toString(max));

                assertThat(reasons(ServerKind.JETTY, s, cpus, Integer.MAX_VALUE).isEmpty())
                        .as("threads.max=%d on %d CPUs", max, cpus)
                        .isEqualTo(starts);
                assertThat(starts).isEqualTo(max >= 4);
            }
        }
    }

    @Test
    void aCommandTakesOnlyItsOwnKnobs() {
        var command = new Target.Command(
                List.of(List.of("x", "{threads.max}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of("threads.max", "25", "threads.min", ""),
                Target.Jvm.SAME);

        assertThat(Constraints.check(command, Setting.of("threads.max", "1"), 2, 4096))
                .isEmpty();
        assertThat(Constraints.check(command, Setting.of("threads.min", "26"), 2, 4096))
                .containsExactly("threads.min=26 is above threads.max=25");
        assertThat(Constraints.check(command, Setting.of("backlog", "5"), 2, 4096))
                .containsExactly("backlog: nothing would change, {backlog} is not in the command");
        assertThat(Constraints.check(command, Setting.of("jvm.gc", "g1"), 2, 4096))
                .containsExactly("jvm.gc: nothing would change, {jvm} is not in the command");
    }

    @Test
    void theTargetsOwnFlagsCount() {
        var target = new Target.Embedded(
                ServerKind.TOMCAT,
                "hello",
                Map.of(),
                Optional.empty(),
                new Target.Jvm(Optional.empty(), List.of("-XX:+UseSerialGC")));

        assertThat(Constraints.check(target, Setting.of("jvm.gc", "g1"), 2, 4096))
                .containsExactly("jvm.gc=g1: the target's jvm flags already choose a collector with -XX:+UseSerialGC;"
                        + " the JVM would not start");
    }

    @Test
    void theJdkOfTheSettingDecidesWhichKnobsThereAre() {
        var target = new Target.Command(
                List.of(List.of("{java}"), List.of("{jvm}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of("jvm.flags", "", "jvm.java", ""),
                new Target.Jvm(Optional.of("25"), List.of()));

        assertThat(Constraints.check(target, Setting.of("jvm.headers.compact", "true"), 2, 4096))
                .isEmpty();
        assertThat(Constraints.check(
                        target, Setting.of(Map.of("jvm.java", "17", "jvm.headers.compact", "true")), 2, 4096))
                .containsExactly("jvm.headers.compact does not exist in Java 17: it is in Java 24 and newer");
        assertThat(Constraints.check(target, Setting.of(Map.of("jvm.java", "11", "jvm.gc", "z")), 2, 4096))
                .containsExactly("jvm.gc=z is for Java 15 and newer, and this is Java 11");
        assertThat(Constraints.check(target, Setting.of(Map.of("jvm.java", "11", "jvm.heap", "1g")), 2, 4096))
                .isEmpty();
        assertThat(Constraints.check(
                        target, Setting.of(Map.of("jvm.java", "/opt/jdk", "jvm.headers.compact", "true")), 2, 4096))
                .isEmpty();
    }

    @Test
    void everyKnobEitherAppliesOrSaysWhatToDo() {
        for (Knob knob : Knobs.all()) {
            for (ServerKind server : ServerKind.values()) {
                String value = switch (knob.type()) {
                    case INT, DURATION, SIZE -> knob.text(knob.max());
                    case BOOL, ENUM -> knob.choices().getFirst();
                    case JDK -> "25";
                    case FLAGS, TEXT -> "-Da=b";
                };
                List<String> reasons = reasons(server, Setting.of(knob.name(), value), 4, Integer.MAX_VALUE).stream()
                        .filter(r -> !r.contains("has no effect without"))
                        .toList();
                NativeKnob on = knob.on(server);
                if (on.applies()) {
                    assertThat(on.byDefault()).isNotBlank();
                    assertThat(reasons).noneMatch(r -> r.contains("does not exist"));
                } else {
                    assertThat(on.toString()).startsWith("n/a: ");
                    assertThat(reasons)
                            .singleElement()
                            .asString()
                            .contains("does not exist")
                            .endsWith(on.name());
                }
            }
        }
    }

    private static Arguments bad(String server, String setting, String... reasons) {
        ServerKind kind = ServerKind.valueOf(server.toUpperCase(Locale.ROOT));
        return Arguments.of(kind, setting(setting), List.of(reasons));
    }

    private static Arguments fine(String server, String setting) {
        return bad(server, setting);
    }

    private static Setting setting(String text) {
        Setting s = Setting.DEFAULT;
        for (String part : text.split(" ")) {
            String[] kv = part.split("=", 2);
            s = s.with(kv[0], kv[1]);
        }
        return s;
    }
}
