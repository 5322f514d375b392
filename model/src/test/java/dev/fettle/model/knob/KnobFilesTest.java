package dev.fettle.model.knob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What is written from the catalogue is as the catalogue is. To write it anew: {@code mvn test -Droom -pl model/tests -am
 * -Dtest=KnobFilesTest -Dfettle.write=true}.
 */
class KnobFilesTest {
    private static final Path AGENT = Path.of("../agent/src/main/resources/dev/fettle/agent/knobs.tsv");

    private static void isUpToDate(Path file, String wanted) throws IOException {
        if (Boolean.getBoolean("fettle.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, wanted);
        }
        assertThat(Files.readString(file))
                .as("%s is not what the catalogue says: see the comment of this test", file)
                .isEqualTo(wanted);
    }

    private static String pairs(java.util.Map<String, String> map) {
        return map.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(","));
    }

    /** Agent and target are never linked with the model: they take this table with them. */
    @Test
    void theTableOfTheAgent() throws IOException {
        var lines = new ArrayList<String>();
        lines.add("# Written from the knob catalogue (model, KnobFilesTest); not to be edited.");
        lines.add("# server\tknob\ttype\tmin\tleast\tmax\tset\tlive\town words\twithout effect with\tunread");
        lines.add("# server\tknob\t-\twhat to do instead");
        for (ServerKind server : ServerKind.values()) {
            for (Knob k : Knobs.all()) {
                if (k.part() == Knob.Part.SERVER) {
                    NativeKnob n = k.on(server);
                    List<String> cells = n.applies()
                            ? List.of(
                                    server.id(),
                                    k.name(),
                                    k.type().name(),
                                    Long.toString(k.min()),
                                    Long.toString(k.least()),
                                    Long.toString(k.max()),
                                    n.set(),
                                    n.live() ? "live" : "",
                                    pairs(n.values()),
                                    pairs(n.without()),
                                    n.unread())
                            : List.of(server.id(), k.name(), "-", n.name());
                    lines.add(String.join("\t", cells).stripTrailing());
                }
            }
        }
        isUpToDate(AGENT, String.join("\n", lines) + "\n");
    }
}
