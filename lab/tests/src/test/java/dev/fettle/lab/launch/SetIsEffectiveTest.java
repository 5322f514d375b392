package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Set = effective: every knob that a server has is set to a value that is no default on a real server, and read back the way a
 * trial does it. What can't be read back, or not on every machine, is exactly what the catalogue says, with its reason. Knobs that do
 * not bear each other are spread over starts. What is the server's is set on each server, in this JVM. What is the JVM's or the process's
 * has nothing to do with the server, and is set on one, in a JVM of its own; only another JDK is tried with each, and with it as many of
 * the server's knobs as it takes.
 */
class SetIsEffectiveTest {
    /** On which the JVM's and the process's knobs are set. */
    private static final ServerKind ANY = ServerKind.UNDERTOW;

    @TempDir
    Path folder;

    @Test
    void everyKnobThatIsSetIsEffective() throws Exception {
        var table = new TreeMap<String, Map<ServerKind, String>>();
        var both = new SetAndReadBack(folder);
        for (ServerKind server : ServerKind.values()) {
            for (Setting setting : SetAndReadBack.settings(Fixtures.hello(server), SetIsEffectiveTest::ofServer)) {
                put(table, server, both.here(Fixtures.hello(server), setting));
            }
        }
        Load load = Fixtures.load(1, "Hello World");
        for (Setting setting : SetAndReadBack.settings(Fixtures.hello(ANY), SetIsEffectiveTest::ofAnyServer)) {
            Map<String, String> results = both.launch(Fixtures.hello(ANY), setting, load);
            results.keySet().removeIf(Knobs::ofServer); // what one of them needs
            for (ServerKind server : ServerKind.values()) {
                put(table, server, results);
            }
        }
        for (ServerKind server : ServerKind.values()) {
            put(table, server, both.launch(Fixtures.hello(server), onAnotherJdk(server), load));
        }
        print(table, both.launches());
        for (Knob knob : Knobs.all()) {
            for (ServerKind server : ServerKind.values()) {
                NativeKnob on = knob.on(server);
                if (!ofServer(knob)) {
                    assertThat(on).as(knob.name()).isEqualTo(knob.on(ANY));
                }
                String result = table.getOrDefault(knob.name(), Map.of()).getOrDefault(server, "not there");
                // of a distribution over TLS: TlsTargetTest; of a Spring Boot jar: BootLauncherTest
                boolean elsewhere =
                        knob.name().equals("tls.engine") || knob.name().equals("boot.layout");
                if (!on.applies() || !SetAndReadBack.inThisJava(knob) || elsewhere) {
                    assertThat(result).as("%s on %s", knob.name(), server).isEqualTo("not there");
                } else if (!on.mayDiffer().isEmpty()) {
                    assertThat(result).as("%s on %s", knob.name(), server).isIn("ok", "differs");
                } else {
                    assertThat(result)
                            .as("%s on %s", knob.name(), server)
                            .isEqualTo(on.unread().isEmpty() || knob.name().equals("backlog") ? "ok" : "exception");
                }
            }
        }
    }

    private static boolean ofServer(Knob knob) {
        return knob.part() == Knob.Part.SERVER;
    }

    private static boolean ofAnyServer(Knob knob) {
        return !ofServer(knob) && knob.type() != Knob.Type.JDK;
    }

    /** As many of a server's knobs as another JDK takes, if this machine has it. */
    private static Setting onAnotherJdk(ServerKind server) {
        Target hello = Fixtures.hello(server);
        Setting jdk = SetAndReadBack.settings(hello, knob -> knob.type() == Knob.Type.JDK).stream()
                .findFirst()
                .orElse(Setting.DEFAULT);
        return SetAndReadBack.settings(hello, SetIsEffectiveTest::ofServer).stream()
                .map(jdk::with)
                .filter(setting -> SetAndReadBack.possible(hello, setting))
                .findFirst()
                .orElseThrow();
    }

    /** What was read of a knob each time that it was set. */
    private static void put(
            Map<String, Map<ServerKind, String>> table, ServerKind server, Map<String, String> results) {
        results.forEach((knob, result) -> table.computeIfAbsent(knob, k -> new LinkedHashMap<>())
                .merge(server, result, (before, now) -> before.equals(now) ? now : before + ", then " + now));
    }

    private static void print(Map<String, Map<ServerKind, String>> table, int launches) {
        var out = new StringBuilder("set = effective\n");
        var kinds = new LinkedHashSet<>(List.of(ServerKind.values()));
        for (Knob knob : Knobs.all()) {
            out.append("  %-28s".formatted(knob.name()));
            for (ServerKind s : kinds) {
                out.append(" %-10s"
                        .formatted(table.getOrDefault(knob.name(), Map.of())
                                .getOrDefault(s, knob.on(s).applies() ? "not in this Java" : "not there")));
            }
            out.append('\n');
        }
        out.append("  in ").append(launches).append(" launches\n");
        System.out.print(out);
    }
}
