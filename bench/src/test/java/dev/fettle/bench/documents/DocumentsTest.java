package dev.fettle.bench.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
    private static final Path HOME = Path.of("..");

    @TempDir
    Path folder;

    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    /** Pages are what the generator makes of the kept figures; bench/documents.sh write makes them so. */
    @Test
    void pagesHoldWhatWasMeasured() throws Exception {
        var made = new Documents(HOME).made();
        assertThat(made).hasSizeGreaterThan(6);
        for (var e : made.entrySet()) {
            assertThat(e.getKey())
                    .content()
                    .as(e.getKey() + ": run bench/documents.sh write")
                    .isEqualTo(e.getValue());
        }
        var pictures = new TreeSet<String>();
        try (var files = Files.list(HOME.resolve("docs/documents/images"))) {
            files.forEach(f -> pictures.add(f.getFileName().toString()));
        }
        assertThat(pictures)
                .allMatch(p ->
                        made.containsKey(HOME.resolve("docs/documents/images").resolve(p)));
    }

    @Test
    void figuresComeFromTheData() throws Exception {
        Files.writeString(
                folder.resolve("pools.json"),
                json("{'command':'compare p.yaml','conclusion':{'kind':'compare','headline':'b wins','conditions':[{'point':{},"
                                + "'variants':[{'name':'a','trials':3,'throughputPerSecond':{'estimate':1000,'low':900,'high':1100},'p99Millis':12.34},"
                                + "{'name':'b','trials':0,'voids':4}],"
                                + "'contrasts':[{'a':'a','b':'b','pairs':3,'differenceShown':true,'ratio':{'estimate':1.5,'low':1.2,'high':1.8}}]}]}}")
                        .toString());
        var pages = new Pages(folder);
        assertThat(pages.filled("x <!--= pools throughput a -->old<!--/--> y <!--= pools p99 a --><!--/-->", ""))
                .isEqualTo(
                        "x <!--= pools throughput a -->1,000 [900, 1,100]<!--/--> y <!--= pools p99 a -->12.3 ms<!--/-->");
        assertThat(pages.filled("<!--= pools change a against b -->?<!--/-->", ""))
                .contains("+50.0 % [20.0, 80.0]");
        assertThat(pages.filled("<!--= pools throughput b -->?<!--/-->", "")).contains("no valid trial");
        assertThat(pages.filled("<!-- made: table pools -->\nold\n<!-- /made -->", ""))
                .contains("| a against b | +50.0 % [20.0, 80.0] | 3 | **shown** |")
                .doesNotContain("old");
        assertThat(pages.filled("<!-- made: run none -->\n<!-- /made -->", "")).contains("`bench/documents.sh none`");
        assertThat(pages.filled("<!-- made: plot pools throughput Two pools -->\n<!-- /made -->", "images/"))
                .contains("![Two pools](images/pools-throughput.svg)");
        assertThat(pages.pictures().get("pools-throughput.svg")).contains("Two pools", "1,000", "no valid trial");
        assertThatThrownBy(() -> pages.filled("<!--= pools throughput c -->?<!--/-->", ""))
                .hasMessageContaining("'c'");
    }

    @Test
    void aRunIsKeptWithoutItsTimelinesAndRefusedWithAFolderOfTheMachine() throws Exception {
        JsonNode run =
                json("{'started':'2026-01-02T03:04:05Z','tookSeconds':9,'environment':{'cpus':2,'limits':{'a':'b'}},"
                        + "'conclusion':{'headline':'h'},'trials':[{'variant':'v','valid':false,'voidReasons':[{'rule':'warm-up','message':'m'}],"
                        + "'measurement':{'elapsedSeconds':2,'throughputPerSecond':5,'latency':{'p99Millis':7}},"
                        + "'evidence':{'serverCpuSeconds':1.5,'timeline':{'series':[1,2]}}}]}");
        JsonNode kept = KeptRun.of(run, "sweep x.yaml");
        assertThat(kept.toString()).doesNotContain("timeline", "limits");
        assertThat(kept.path("day").asText()).isEqualTo("2026-01-02");
        assertThat(kept.path("trials").get(0).path("serverCpu").asDouble()).isEqualTo(0.75);
        assertThat(Blocks.trials(kept)).contains("| 1 | v | 5.0 | 7.00 ms |", "void: warm-up");
        JsonNode bad = json("{'conclusion':{'headline':'see /home/ann/x'},'trials':[]}");
        assertThatThrownBy(() -> KeptRun.of(bad, "x")).hasMessageContaining("/home/ann");
    }
}
