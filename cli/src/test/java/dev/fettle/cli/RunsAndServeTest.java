package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.cli.kept.RunPages;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.web.Answer;
import dev.fettle.lab.web.Request;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The runs of a team: marked, listed, held against each other, and shown as pages. */
class RunsAndServeTest {
    private static final Path SAMPLES = Fettle.home().resolve("report/src/test/resources/dev/fettle/report/history");
    private static final Pattern LINK = Pattern.compile("href=\"((?:run|two|plan)/[0-9a-f/]+)\"");

    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    @BeforeEach
    void twoRunsAndTwoBenches() throws Exception {
        Path dir = Files.createDirectories(folder.resolve(".fettle"));
        try (Journal journal = Journal.open(dir.resolve("journal.db"))) {
            JsonNode sample = json.readTree(Files.readString(SAMPLES.resolve("gate.json")));
            Plan plan = Json.mapper().treeToValue(sample.path("plan"), Plan.class);
            for (int i = 0; i < 2; i++) {
                journal.begin(
                        "gate", Path.of("plan.yaml"), "", plan, Map.of("cpuModel", "a"), Instant.EPOCH.plusSeconds(i));
            }
        }
        for (int i = 0; i < 2; i++) {
            ObjectNode bench = (ObjectNode) json.readTree(Files.readString(SAMPLES.resolve("bench.json")));
            bench.put("started", "2026-03-0" + (i + 1) + "T03:00:00Z");
            Files.createDirectories(folder.resolve("ci" + i));
            Files.writeString(folder.resolve("ci" + i).resolve("bench.json"), bench.toString());
        }
    }

    private Ended runs(String... arguments) {
        return Ended.of(Stream.concat(
                        Stream.of("runs", "--dir", folder.resolve(".fettle").toString()), Stream.of(arguments))
                .toList());
    }

    @Test
    void marksAreAddedTakenAndFound() throws Exception {
        assertThat(runs("1", "--tag", "base,nightly", "--note", "before the\nchange").code)
                .isZero();
        assertThat(runs("1", "--untag", "nightly", "--tag", "base").code).isZero();
        JsonNode all = json.readTree(runs("--json").out);
        assertThat(all).hasSize(2);
        assertThat(all.at("/1/tags")).hasSize(1);
        assertThat(all.at("/1/tags/0").asText()).isEqualTo("base");
        assertThat(all.at("/1/note").asText()).isEqualTo("before the change");
        assertThat(json.readTree(runs("--json", "--find", "BASE,gate").out)).hasSize(1);
        assertThat(runs("--find", "nothing-like-it").out).doesNotContain("trials");
        assertThat(runs("1", "--untag", "base", "--note", "").code).isZero();
        assertThat(json.readTree(runs("--json").out).at("/1/note").asText()).isEmpty();
        // what was measured is not touched
        assertThat(folder.resolve(".fettle/marks.json")).exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "1 2 --tag a",
                "1 --tag two_words!",
                "1 --tag -x",
                "1 1",
                "1 9",
                "1 9 2",
                "9 --note x",
                "1 2 --find x",
                "--tag a"
            })
    void whatMakesNoSense(String arguments) {
        Ended ended = runs(arguments.split(" "));
        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines().filter(l -> !l.isBlank()).count()).isLessThanOrEqualTo(2);
    }

    @Test
    void twoWithoutFiguresAreNotCompared() throws Exception {
        Ended two = runs("1", "2", "--json");
        assertThat(two.code).isEqualTo(4);
        JsonNode d = json.readTree(two.out);
        assertThat(d.path("schema").asText()).isEqualTo("fettle.two-runs/1");
        assertThat(d.path("comparable").asBoolean()).isFalse();
        assertThat(d.path("refused")).isNotEmpty();
        assertThat(d.path("figures")).isEmpty();
    }

    @Test
    void marksThatAreNoneAreAnError() throws Exception {
        Files.writeString(folder.resolve(".fettle/marks.json"), "[1");
        assertThat(runs().code).isEqualTo(1);
        Files.writeString(folder.resolve(".fettle/marks.json"), "null");
        assertThat(runs().code).isEqualTo(1);
        Files.writeString(folder.resolve(".fettle/marks.json"), "{\"x\": null, \"y\": {\"tags\": [null]}}");
        assertThat(runs().code).isZero();
        Files.writeString(folder.resolve(".fettle/marks.json"), "{\"x\": {\"tags\": null, \"note\": null}}");
        assertThat(runs().code).isZero();
    }

    private static String page(RunPages pages, String path) {
        Answer answer = pages.answer(new Request(false, path, Map.of(), Map.of(), "", Optional.empty()));
        assertThat(answer).isInstanceOf(Answer.Whole.class);
        var whole = (Answer.Whole) answer;
        assertThat(whole.status()).as(path).isEqualTo(200);
        return new String(whole.body(), StandardCharsets.UTF_8);
    }

    private static int status(RunPages pages, boolean post, String path) {
        return ((Answer.Whole) pages.answer(new Request(post, path, Map.of(), Map.of(), "", Optional.empty())))
                .status();
    }

    @Test
    void eachLinkOfTheListIsAPage() {
        var pages = new RunPages(List.of(folder));
        String list = page(pages, "/");
        List<String> links =
                LINK.matcher(list).results().map(m -> m.group(1)).distinct().toList();
        assertThat(links).filteredOn(l -> l.startsWith("run/")).hasSize(4);
        assertThat(links).filteredOn(l -> l.startsWith("plan/")).hasSize(4);
        assertThat(links)
                .filteredOn(l -> l.startsWith("two/"))
                .hasSize(1); // the benches: runs without an answer have none
        for (String link : links) {
            assertThat(page(pages, "/" + link)).startsWith("<!doctype html>");
            assertThat(page(pages, "/" + link + (link.startsWith("two/") ? ".md" : ".json")))
                    .isNotEmpty();
        }
        // the same addresses in another process
        assertThat(page(new RunPages(List.of(folder)), "/")).isEqualTo(list);
    }

    @Test
    void aRunThatCameLaterIsThere() throws Exception {
        var pages = new RunPages(List.of(folder));
        page(pages, "/");
        Files.createDirectories(folder.resolve("ci9"));
        Files.copy(SAMPLES.resolve("gate.json"), folder.resolve("ci9/gate.json"));
        assertThat(page(pages, "/")).contains("boot-tomcat-4.1-1");
    }

    private static long linkedRuns(String list) {
        return LINK.matcher(list)
                .results()
                .map(m -> m.group(1))
                .filter(l -> l.startsWith("run/"))
                .distinct()
                .count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1", "null", "7", "{\"x\": null}"})
    void runsAreThereWhateverTheirMarksAre(String marks) throws Exception {
        Files.writeString(folder.resolve(".fettle/marks.json"), marks);
        assertThat(linkedRuns(page(new RunPages(List.of(folder)), "/"))).isEqualTo(4);
    }

    /** A folder that was unpacked may be another's, or a group's, and its database that of another program. */
    @Test
    void nothingIsWrittenWhereverItLies() throws Exception {
        Path other = Files.createDirectories(folder.resolve("other")).resolve("journal.db");
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + other);
                var s = db.createStatement()) {
            s.execute("CREATE TABLE account (id INTEGER)");
        }
        byte[] before = Files.readAllBytes(other);
        Files.setPosixFilePermissions(folder.resolve(".fettle"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(linkedRuns(page(new RunPages(List.of(folder)), "/"))).isEqualTo(4);
        assertThat(Files.readAllBytes(other)).isEqualTo(before);
        try (var all = Files.list(folder.resolve("other"))) {
            assertThat(all).containsExactly(other);
        }
    }

    /** As where a CI's artifact is unpacked over the one before. */
    @Test
    void anotherJournalInItsPlaceIsReadAnew() throws Exception {
        var pages = new RunPages(List.of(folder));
        for (int i = 1; i <= 2; i++) {
            Path made = Files.createDirectories(folder.resolve("unpacked" + i)).resolve("journal.db");
            try (Journal journal = Journal.open(made)) {
                JsonNode sample = json.readTree(Files.readString(SAMPLES.resolve("gate.json")));
                Plan plan = Json.mapper().treeToValue(sample.path("plan"), Plan.class);
                String id = journal.begin(
                                "compare", Path.of("p"), "", plan, Map.of(), Instant.EPOCH.plusSeconds(100L * i))
                        .id();
                journal.conclude(
                        id,
                        new CompareConclusion(
                                "answer-" + i,
                                Objective.Metric.values()[0],
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                List.of()));
            }
            Files.createDirectories(folder.resolve("latest"));
            Files.move(made, folder.resolve("latest/journal.db"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(page(pages, "/")).contains("answer-" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/run/0123456789",
                "/run/zz",
                "/run/../../etc/passwd",
                "/two/0123456789",
                "/two/0123456789/0123456789",
                "/plan/0123456789.md/x",
                "/marks.json",
                "/.fettle/journal.db"
            })
    void otherAddressesAreNone(String path) {
        assertThat(status(new RunPages(List.of(folder)), false, path)).isEqualTo(404);
        assertThat(status(new RunPages(List.of(folder)), true, "/")).isEqualTo(404);
    }

    /** What somebody else wrote into a result is text. */
    @Test
    void textOfAResultIsNoMarkup() throws Exception {
        ObjectNode bench = (ObjectNode) json.readTree(Files.readString(SAMPLES.resolve("bench.json")));
        bench.put("target", "<script>alert(1)</script>");
        bench.put("started", "2026-03-05T03:00:00Z");
        Files.writeString(folder.resolve("ci0").resolve("\"><b id=evil>.json"), bench.toString());
        var pages = new RunPages(List.of(folder));
        String list = page(pages, "/");
        assertThat(list).doesNotContain("<script>alert").doesNotContain("<b id=evil");
        LINK.matcher(list)
                .results()
                .map(m -> m.group(1))
                .forEach(link -> assertThat(page(pages, "/" + link))
                        .doesNotContain("<script>alert")
                        .doesNotContain("<b id=evil"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve /nowhere/at-all", "serve --port 70000", "serve --port -1", "serve --port x"})
    void whatCantBeServed(String arguments) {
        assertThat(Ended.of(List.of(arguments.split(" "))).code).isEqualTo(2);
    }
}
