package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fettle capture}. */
class CaptureCommandTest {
    private static final String SECRET = "hunter2secret";

    @TempDir
    Path folder;

    private static Ended capture(String... arguments) {
        var all = new ArrayList<>(List.of("capture"));
        all.addAll(List.of(arguments));
        return fettle(all.toArray(String[]::new));
    }

    private static Ended fettle(String... all) {
        return fettle(new StringWriter(), all);
    }

    /** @param out receives what it says, while it says it */
    private static Ended fettle(StringWriter out, String... all) {
        return Ended.of(out, all);
    }

    /** A program that waits until its input ends. */
    public static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("up");
            System.exit(System.in.read() < 0 ? 0 : 1);
        }
    }

    private static Process waiting() throws IOException {
        var builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Ddb.password=" + SECRET,
                "-cp",
                System.getProperty("java.class.path"),
                Waiting.class.getName(),
                "--token=" + SECRET);
        builder.environment().put("API_TOKEN", SECRET);
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        assertThat(process.inputReader().readLine()).isEqualTo("up");
        return process;
    }

    private static Map<String, byte[]> entries(Path archive) throws IOException {
        var found = new TreeMap<String, byte[]>();
        try (var zip = new ZipFile(archive.toFile())) {
            for (var entry : zip.stream().toList()) {
                found.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        }
        return found;
    }

    @Test
    @Timeout(300)
    void whatIsTakenOfAProcess() throws Exception {
        Path archive = folder.resolve("taken.zip");
        Process process = waiting();
        try {
            Ended e = capture(
                    "--pid",
                    Long.toString(process.pid()),
                    "--for",
                    "5s",
                    "--histogram",
                    "--json",
                    "--out",
                    archive.toString());
            assertThat(e.code).as(e.err).isZero();
            Map<String, byte[]> parts = entries(archive);
            assertThat(parts.keySet())
                    .containsExactlyInAnyOrder(
                            "about.json",
                            "watch.jsonl",
                            "threads-1.txt",
                            "threads-2.txt",
                            "threads-3.txt",
                            "histogram-1.txt",
                            "histogram-2.txt",
                            "recording.jfr",
                            "settings.json");
            assertThat(text(parts, "threads-2.txt")).contains("\"main\"", Waiting.class.getName() + ".main");
            assertThat(text(parts, "histogram-1.txt")).contains("java.lang.String");
            assertThat(text(parts, "recording.jfr")).startsWith("FLR");
            assertThat(parts.values())
                    .allSatisfy(p -> assertThat(new String(p, StandardCharsets.ISO_8859_1))
                            .doesNotContain(SECRET));
            assertThat(Files.getPosixFilePermissions(archive)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            JsonNode about = new ObjectMapper().readTree(e.out);
            assertThat(about.at("/schema").asText()).isEqualTo("fettle.capture/1");
            assertThat(about.at("/bytes").asLong()).isEqualTo(Files.size(archive));
            assertThat(process.isAlive()).isTrue();

            Ended read = fettle("diagnose", archive.toString(), "--json");
            assertThat(read.code).as(read.err).isZero();
            JsonNode found = new ObjectMapper().readTree(read.out);
            assertThat(found.at("/conclusion/result").asText())
                    .as("on a full machine even a process that waits has something to wait for")
                    .isIn("nothing_found", "found");
            assertThat(read.out).contains(archive.toString()).doesNotContain("fettle-captured");

            // nothing is overwritten
            Ended again = capture("--pid", Long.toString(process.pid()), "--out", archive.toString());
            assertThat(again.code).isEqualTo(2);
            assertThat(again.err.lines()).singleElement().asString().contains(archive.toString());
        } finally {
            process.destroy();
        }
    }

    private static String text(Map<String, byte[]> parts, String name) {
        return new String(parts.get(name), StandardCharsets.ISO_8859_1);
    }

    /** What was taken by then is kept. */
    @Test
    @Timeout(300)
    void ofAProcessThatEndsWhatWasTakenIsKept() throws Exception {
        Path archive = folder.resolve("ended.zip");
        Process process = waiting();
        var said = new StringWriter() {
            @Override
            public void write(String text, int from, int length) {
                super.write(text, from, length);
                process.destroy(); // as soon as it says that it begins
            }
        };
        Ended e = fettle(
                said,
                "capture",
                "--pid",
                Long.toString(process.pid()),
                "--for",
                "10m",
                "--no-recording",
                "--out",
                archive.toString());
        assertThat(e.code).isEqualTo(1);
        assertThat(e.err).contains("has ended");
        assertThat(entries(archive)).containsKeys("about.json", "watch.jsonl");
    }

    @ParameterizedTest
    @CsvSource({
        "'', --pid",
        "--pid 4194303, 4194303",
        "--pid 1 --for 1s, 5s to 1h",
        "--pid 1 --for 2h, 5s to 1h",
        "--pid 1 --out /nowhere/x.zip, /nowhere/x.zip",
        "--pid 1 --out /dev/null, /dev/null",
        "--url http://192.0.2.1/, 192.0.2.1"
    })
    void badInputIsOneLine(String arguments, String named) {
        Ended e = capture(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines())
                .singleElement()
                .asString()
                .startsWith("fettle: ")
                .contains(named);
    }

    /** Before anything is taken: what was taken could not be written. */
    @Test
    void whereALinkIsNothingIsWritten() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link.zip"), folder.resolve("nothing.zip"));
        Ended e = capture("--pid", "1", "--out", link.toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines()).singleElement().asString().contains("link.zip exists already");
        assertThat(folder.resolve("nothing.zip")).doesNotExist();
    }

    /** Somebody else's archive: what does not belong into a capture is not unpacked, and what never ends is not read to its end. */
    @Test
    void aForeignArchiveIsBounded() throws Exception {
        Path archive = folder.resolve("foreign.zip");
        Path outside = folder.resolve("threads-1.txt");
        try (var zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            put(zip, "about.json", "{\"schema\": \"fettle.capture/1\"}");
            put(zip, "../threads-1.txt", "outside");
            put(zip, "/tmp/threads-2.txt", "outside");
            put(zip, "threads-1.txt/../../threads-1.txt", "outside");
            put(zip, "plan.yaml", "target: {command: [touch, " + outside + "]}");
        }
        Ended e = fettle("diagnose", archive.toString());
        assertThat(e.code).isEqualTo(1);
        assertThat(e.err.lines()).singleElement().asString().contains(archive.toString());
        assertThat(outside).doesNotExist();

        Path bomb = folder.resolve("bomb.zip");
        try (var zip = new ZipOutputStream(Files.newOutputStream(bomb))) {
            put(zip, "about.json", "{\"schema\": \"fettle.capture/1\"}");
            for (int i = 0; i < 60; i++) {
                put(zip, "threads-" + i + ".txt", "x");
            }
        }
        Ended many = fettle("diagnose", bomb.toString());
        assertThat(many.code).isEqualTo(1);
        assertThat(many.err.lines()).singleElement().asString().contains("40 files");
    }

    private static void put(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
