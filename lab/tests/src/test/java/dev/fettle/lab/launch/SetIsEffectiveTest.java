package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Set = effective: every knob that a server has is set to a value that is no default on a real server in a JVM of its own,
 * and read back the way a trial does it. What can't be read back, or not on every machine, is exactly what the catalogue
 * says, with its reason. Knobs that do not bear each other are spread over launches.
 */
class SetIsEffectiveTest {
    @TempDir
    Path folder;

    @Test
    void everyKnobThatIsSetIsEffective() throws Exception {
        var table = new TreeMap<String, Map<ServerKind, String>>();
        var both = new SetAndReadBack(folder);
        for (ServerKind server : ServerKind.values()) {
            for (Setting setting : SetAndReadBack.settings(Fixtures.hello(server), knob -> true)) {
                both.launch(Fixtures.hello(server), setting, Fixtures.load(1, "Hello World"))
                        .forEach((knob, result) -> table.computeIfAbsent(knob, k -> new LinkedHashMap<>())
                                .put(server, result));
            }
        }
        print(table, both.launches());
        for (Knob knob : Knobs.all()) {
            for (ServerKind server : ServerKind.values()) {
                NativeKnob on = knob.on(server);
                String result = table.getOrDefault(knob.name(), Map.of()).getOrDefault(server, "not there");
                boolean elsewhere = knob.name().equals("tls.engine"); // of a distribution over TLS: TlsTargetTest
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
