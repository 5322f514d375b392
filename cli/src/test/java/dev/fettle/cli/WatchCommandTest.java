package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fettle watch} where nothing is watched. */
class WatchCommandTest {
    @TempDir
    Path folder;

    private static Ended watch(String... arguments) {
        var all = new ArrayList<>(List.of("watch"));
        all.addAll(List.of(arguments));
        return fettle(all);
    }

    private static Ended fettle(List<String> all) {
        return Ended.of(all);
    }

    private String gcLog() throws Exception {
        return Files.writeString(folder.resolve("gc.log"), """
                        [1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 10M->2M(64M) 10.000ms
                        [3.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 22M->4M(64M) 20.000ms
                        """).toString();
    }

    @Test
    void aGcLogIsShown() throws Exception {
        Ended e = watch(gcLog());
        assertThat(e.code).as(e.err).isZero();
        assertThat(e.out).contains("garbage collections of", "2 pauses");
    }

    /** There is no CPU in it, and what it tells is the server's all the same. */
    @Test
    void thePageOfAGcLogIsOfTheServer() throws Exception {
        Path page = folder.resolve("gc.html");
        Ended e = fettle(List.of("report", gcLog(), "--out", page.toString()));
        assertThat(e.code).as(e.err).isZero();
        assertThat(Files.readString(page))
                .contains("What the server did meanwhile")
                .doesNotContain("The load and this machine meanwhile");
    }

    @Test
    void itsPageIsNotWrittenIntoAFolderThatIsNotThere() throws Exception {
        Path page = folder.resolve("none").resolve("x.html");
        Ended e = fettle(List.of("report", gcLog(), "--out", page.toString()));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .isEqualToIgnoringNewLines(
                        "fettle: " + page + " can't be written: there is no folder " + page.getParent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--json",
                "--pid 1",
                "--url http://127.0.0.1:8080/",
                "--record x.watch",
                "--duration 5s",
                "--once",
                "--serve-metrics 9404",
                "--html x.html",
                "--profile cpu"
            })
    void aGcLogIsOnlyShown(String option) throws Exception {
        Ended e = watch((gcLog() + " " + option).split(" "));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines())
                .singleElement()
                .asString()
                .startsWith("fettle: a GC log is only shown: ")
                .contains("fettle report makes a page of it");
    }

    @Test
    void aRecordingIsNeverOverwritten() throws Exception {
        Path kept = Files.writeString(folder.resolve("evening.watch"), "eight hours");
        Ended e = watch("--pid", "4194303", "--record", kept.toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains(kept + " exists already and was left alone: choose another --record");
        assertThat(kept).hasContent("eight hours");
    }

    /** As in {@code fettle watch --pid 1 | head -1}: else it would go on for ever, and so would the shell. */
    @Test
    @Timeout(300)
    void endsWhenNobodyReadsItAnyMore() throws Exception {
        Process watched = new ProcessBuilder("sleep", "600").start();
        try {
            Process p = new Fettle(folder)
                    .process("watch", "--pid", Long.toString(watched.pid()), "--json")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (var out = p.inputReader()) {
                assertThat(out.readLine()).startsWith("{");
            }
            assertThat(p.waitFor()).isZero();
        } finally {
            watched.destroy();
        }
    }

    /** What was seen of it until then is what one wants to have. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--profile cpu"})
    @Timeout(300)
    void thePageOfAProcessThatEndedIsWritten(String profile) throws Exception {
        Process watched = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jwebserver")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-p",
                        "0",
                        "-d",
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        Path page = folder.resolve("page.html");
        var all = new ArrayList<>(List.of("watch", "--pid", Long.toString(watched.pid())));
        all.addAll(
                List.of("--html", page.toString(), "--dir", folder.resolve("ws").toString()));
        all.addAll(profile.isEmpty() ? List.of() : List.of(profile.split(" ")));
        var out = new StringWriter();
        var err = new StringWriter();
        int code;
        try (var told = watched.inputReader()) {
            assertThat(told.readLine()).isNotNull(); // it is up
            var end = new PrintWriter(out, true) {
                @Override
                public void print(String text) {
                    super.print(text);
                    if (text.contains(" s  ")) { // the first second is over
                        watched.destroyForcibly();
                    }
                }
            };
            code = Main.commandLine()
                    .setOut(end)
                    .setErr(new PrintWriter(err, true))
                    .execute(all.toArray(String[]::new));
        } finally {
            watched.destroyForcibly();
        }
        assertThat(code).as(out + "" + err).isEqualTo(1);
        assertThat(err.toString()).contains("process " + watched.pid(), " has ended");
        assertThat(out.toString()).contains("page  " + page);
        assertThat(page).content().contains("process " + watched.pid());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--url http://192.0.2.1:8080/|192.0.2.1 is not this machine: run fettle watch there",
                "--pid 4194303 -d 10|there is no process 4194303",
                "--pid 4194303 -d 0|--duration 0: at least 1s",
                "--pid 4194303 --url http://192.0.2.1:8080/|there is no process 4194303",
                "--pid 4194303 --html /no/such/page.html|--html /no/such/page.html: no file can be written there",
                "--pid 4194303 --profiler jfr|--profiler goes with --profile",
                "--pid 4194303 --keep 24h|--keep and --max are for --record DIR",
                "--pid 4194303 --record /tmp|--record /tmp is a folder: --keep 24h or --max 1GB",
                "--pid 4194303 --record ring --keep 9m|--keep 9 min is too short: at least 10 min",
                "--pid 4194303 --record ring --max 9x|--max 9x is no size: 1GB or 500MB would be right",
                "--pid 4194303 --record ring --max 1MB|--max 1MB is too little",
                "--pid 4194303 --record ring --max 1GB --html page.html|--keep and --max record for ever",
                "--pid 4194303 --profile cpu --profiler xyz|--profiler xyz: one of auto, async, jfr is wanted"
            })
    void mistakesAreOneLineBeforeAnythingIsWatched(String arguments, String words) {
        Ended e = watch(arguments.split(" "));
        assertThat(e.code).as(e.err).isEqualTo(2);
        assertThat(e.err.lines()).singleElement().asString().contains(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"70000", "0.0.0.0:9404", "192.0.2.1:80", "metrics", "http://127.0.0.1:1", "127.0.0.1", ""})
    void metricsAreServedOnALoopbackAddressOnly(String at) {
        Ended e = watch("--pid", Long.toString(ProcessHandle.current().pid()), "--serve-metrics", at);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines())
                .singleElement()
                .asString()
                .startsWith("fettle: --serve-metrics: ")
                .contains("127.0.0.1:");
    }

    /** Of this process itself: fetched with the token from the file that was named, while the watch runs. */
    @Test
    @Timeout(300)
    void metricsAreFetchedWhileItWatches() throws Exception {
        var out = new StringWriter();
        var said = new PrintWriter(out, true);
        String pid = Long.toString(ProcessHandle.current().pid());
        var watching = Thread.ofPlatform()
                .start(() -> Main.commandLine()
                        .setOut(said)
                        .setErr(said)
                        .execute(
                                "watch",
                                "--pid",
                                pid,
                                "--no-dump",
                                "--duration",
                                "1h",
                                "--serve-metrics",
                                "127.0.0.1:0"));
        try (var client = HttpClient.newHttpClient()) {
            String line = "";
            while (line.isEmpty()) {
                assertThat(watching.isAlive()).as(out.toString()).isTrue();
                line = out.toString()
                        .lines()
                        .filter(l -> l.startsWith("metrics  "))
                        .findFirst()
                        .orElse("");
                Thread.sleep(10);
            }
            URI at = URI.create(line.split(" +")[1]);
            Path token = Path.of(line.substring(line.indexOf('/', line.indexOf("token in"))))
                    .normalize();
            assertThat(Files.getPosixFilePermissions(token)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            var asked = HttpRequest.newBuilder(at).header("Authorization", "Bearer " + Files.readString(token));
            String figures = "";
            while (!figures.contains("\nfettle_watch_threads ")) {
                assertThat(watching.isAlive()).as(out.toString()).isTrue();
                HttpResponse<String> answer = client.send(asked.build(), BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                figures = answer.body();
                Thread.sleep(10);
            }
            assertThat(client.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
        } finally {
            watching.interrupt();
            watching.join();
        }
    }
}
