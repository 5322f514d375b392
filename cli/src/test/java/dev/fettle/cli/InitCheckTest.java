package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fettle init}, {@code fettle check}, {@code fettle judge}: nothing is run. */
class InitCheckTest {
    @TempDir
    Path folder;

    private static Ended fettle(String... arguments) {
        return Ended.of(arguments);
    }

    private Path plan(String text) throws Exception {
        return Files.writeString(folder.resolve("p.yaml"), text);
    }

    /** What init writes, check finds sound; the parts stand in the order of the checklist. */
    @ParameterizedTest
    @ValueSource(strings = {"", "tomcat", "jetty", "PID", "http://127.0.0.1:8080/shop", "shop.war"})
    void whatInitWritesIsSound(String what) throws Exception {
        Files.createDirectories(folder.resolve("tomcat/conf"));
        Files.writeString(
                folder.resolve("tomcat/conf/server.xml"),
                "<Server><Service name=\"Catalina\"><Connector port=\"8080\"/><Engine name=\"Catalina\" defaultHost=\"localhost\"><Host name=\"localhost\" appBase=\"webapps\"/></Engine></Service></Server>");
        Files.createDirectories(folder.resolve("jetty/start.d"));
        Files.writeString(folder.resolve("jetty/start.d/http.ini"), "--module=http\n");
        Files.createDirectories(folder.resolve("shop.war/WEB-INF"));
        String target = what.equals("PID")
                ? Long.toString(ProcessHandle.current().pid())
                : what.isEmpty() || what.startsWith("http")
                        ? what
                        : folder.resolve(what).toString();
        Path out = folder.resolve("new.yaml");
        String[] arguments = target.isEmpty()
                ? new String[] {"init", "--out", out.toString(), "--goal", "50ms", "--clients", "30"}
                : new String[] {"init", target, "--out", out.toString(), "--goal", "50ms", "--clients", "30"};
        Ended e = fettle(arguments);
        assertThat(e.code).as(e.out + e.err).isZero();
        assertThat(e.out).contains("Written: " + out, "is sound. Nothing was run.");
        assertThat(out)
                .content()
                .containsSubsequence("# 1. Scenario", "# 2. Environment", "# 3. Target figures", "# 4. Isolation")
                .contains("connections: 30", "slo: p99<50ms");
        Ended again = fettle(arguments);
        assertThat(again.code).isEqualTo(2);
        assertThat(again.err).contains("exists already");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_shop", ".shop", "null", "a\"b\\c", "ü", "a shop: 100% #1", "LONG"})
    void anyFileNameMakesAPlan(String name) throws Exception {
        Path war = folder.resolve(name.replace("LONG", "l".repeat(80)) + ".war");
        Files.createDirectories(war.resolve("WEB-INF"));
        Ended e = fettle(
                "init", war.toString(), "--out", folder.resolve("new.yaml").toString());
        assertThat(e.code).as(e.out + e.err).isZero();
    }

    /** The page that is named is the page that is loaded. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:8080/login|/login",
                "HTTP://127.0.0.1:8080/login?a=1#top|/login?a=1",
                "http://127.0.0.1:8080?a=1|/?a=1",
                "http://127.0.0.1:8080/|/",
                "http://127.0.0.1:8080|/"
            })
    void aPlanForAUrlRequestsItsPath(String url, String path) throws Exception {
        Path out = folder.resolve("url.yaml");
        Ended e = fettle("init", url, "--out", out.toString());
        assertThat(e.code).as(e.out + e.err).isZero();
        assertThat(out)
                .content()
                .contains("path: \"" + path + "\"", "://127.0.0.1:8080\"}", "fettle sweep THIS-FILE")
                .doesNotContain("fettle tune THIS-FILE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "init /nowhere/x.jar|there is no /nowhere/x.jar",
                "init --path login|a path begins with /",
                "init http://127.0.0.1:8080/a --path /b|the URL says /a already",
                "init http://me:pw@127.0.0.1/|are not sent: put load.request.headers: {Authorization: Basic …} into the plan",
                "watch --url http://me:pw@127.0.0.1/ --once|are not sent: leave them out",
                "audit /nowhere.conf|no such file: /nowhere.conf",
                "watch /nowhere.watch|no such file: /nowhere.watch",
                "init --clients 0|1 to 60000 are possible",
                "init --goal fast|throughput, or a time such as 50ms",
                "check /nowhere.yaml|there is no plan /nowhere.yaml",
                "judge|nothing to judge",
                "judge /nowhere.txt|no such file",
                "judge --clients -3|a number from 0 on is wanted",
                "judge --percentile 100=5ms|between 0 and 100",
            })
    void aMistakeIsOneLine(String arguments, String words) {
        Ended e = fettle(
                (arguments + (arguments.startsWith("init") ? " --out " + folder.resolve("x.yaml") : "")).split(" "));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines()).hasSize(1);
        assertThat(e.err).contains(words);
        assertThat(folder.resolve("x.yaml")).doesNotExist();
    }

    /** What is typed is repeated to say what is wrong with it, and not its secrets. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bench    | http://127.0.0.1:9/?token=hunter2 x | 'http://127.0.0.1:9/?token=***' is no URL: Illegal character in query",
                "bench    | http://me:hunter2@127.0.0.1:9/ x    | 'http://***@127.0.0.1:9/ x' is no URL",
                "bench    | http://me:hun/ter2@h/               | a name and password in the URL are not sent: say -H",
                "bench    | http://127.0.0.1:99999/?sid=hunter2 | 'http://127.0.0.1:99999/?sid=***': a port is from 1",
                "capacity | http://127.0.0.1:9/?token=hunter2 x | 'http://127.0.0.1:9/?token=***' is no URL",
                "diagnose | http://127.0.0.1:9/?token=hunter2 x | 'http://127.0.0.1:9/?token=***' is no URL",
                "diagnose | htp://me:hunter2@h/                 | 'htp://***@h/' is neither a URL",
                "init     | http://127.0.0.1:9/?token=hunter2 x | 'http://127.0.0.1:9/?token=***' is no URL",
                "tune     | http://me:hunter2@h/                | there is no plan http:/***@h",
                "check    | http://me:hunter2@h/                | there is no plan http:/***@h",
            })
    void secretsInAUrlAreNotRepeated(String command, String url, String words) {
        Ended e = fettle(command, url);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains(words).doesNotContain("hunter2", "ter2@");
    }

    /** What is recommended is possible. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{server: tomcat, app: hello} | add 'knobs: {threads.max: {from: 10, to: 500}}' | grid: {threads.max: [50, 100, 200]}",
                "{url: 'http://127.0.0.1:9'}  | nothing can be set in a server that is known by its URL only | grid: {load.connections: [10, 50, 200]}",
                "{pid: PID}                   | the process is only watched; add 'live: true' | grid: {load.connections: [10, 50, 200]}",
                "{pid: PID, live: true}       | add 'knobs: {threads.max: {from: 10, to: 500}}' | grid: {threads.max: [50, 100, 200]}",
                "{command: ['{java}', '{port}']} | put one into the command, such as {threads.max} | grid: {load.connections: [10, 50, 200]}",
            })
    void whatAPlanLacksFitsItsTarget(String target, String knobs, String grid) throws Exception {
        String pid = Long.toString(ProcessHandle.current().pid());
        String plan = "name: x\ntarget: " + target.replace("PID", pid) + "\nload: {connections: 5}\n";
        Ended e = fettle("check", plan(plan).toString());
        assertThat(e.code).as(e.out).isZero();
        assertThat(e.out.replaceAll("\\s+", " ")).contains("tune: the plan 'x' has no knobs to tune: " + knobs, grid);
        String recommended = grid.substring("grid: ".length());
        Ended swept = fettle(
                "check", plan(plan + "sweep: {grid: " + recommended + "}\n").toString());
        assertThat(swept.code).as(swept.out).isZero();
    }

    @Test
    void aFileThatIsNoRecordingIsNotTakenForARun() throws Exception {
        Path file = Files.writeString(folder.resolve("rnd.bin"), "x");
        Ended e = fettle(
                "report", file.toString(), "--dir", folder.resolve("none").toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("'" + file + "' is neither a recording of fettle watch, nor a GC log, nor a run");
    }

    @Test
    void allMistakesOfAPlanAreTold() throws Exception {
        Path file = plan(
                "name: x\ntarget: {server: tomcat, app: hello}\nload: {conections: 5}\nknobs: {threads.mux: [5]}\n");
        Ended e = fettle("check", file.toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.out)
                .contains(":3:8: unknown key 'conections'", ":4:9: unknown knob 'threads.mux'", "2 problems with");
        JsonNode json = new ObjectMapper().readTree(fettle("check", file.toString(), "--json").out);
        assertThat(json.path("sound").asBoolean()).isFalse();
        assertThat(json.path("problems")).hasSize(2);
    }

    @Test
    void whatIsMissingOnThisMachineIsTold() throws Exception {
        Ended e = fettle(
                "check",
                plan("name: x\ntarget: {server: tomcat, app: hello, java: /nowhere}\nload: {connections: 5}\nknobs: {threads.max: [5, 6]}\n")
                        .toString());
        assertThat(e.code).isEqualTo(2);
        assertThat(e.out).contains("/nowhere");
    }

    @Test
    void whatASoundPlanWouldDoIsTold() throws Exception {
        Path file = plan("""
                name: x
                target: {server: tomcat, app: hello}
                load: {connections: 5, warm-up: 2s, measure: 1s}
                knobs: {threads.max: {from: 5, to: 10}}
                sweep: {grid: {threads.max: [5, 6, 7]}, repeats: 2}
                """);
        Ended e = fettle("check", file.toString());
        assertThat(e.code).isZero();
        assertThat(e.out)
                .contains(
                        "is sound. Nothing was run.",
                        "fettle tune " + file,
                        "fettle sweep " + file,
                        "for 6 trials",
                        "server on CPU",
                        "Not possible with it:",
                        "compare: the plan 'x' has nothing to compare")
                .doesNotContain("Run ");
        JsonNode json = new ObjectMapper().readTree(fettle("check", file.toString(), "--json").out);
        assertThat(json.path("experiments").findValuesAsText("kind")).containsExactly("tune", "sweep", "diagnose");
    }

    @Test
    void theUrlOfAPublishedResultIsShownWithoutSecrets() throws Exception {
        Path file = Files.writeString(
                folder.resolve("wrk.txt"),
                "Running 30s test @ http://me:hunter2@127.0.0.1:8080/?token=hunter2&x=1\n  12 threads and 400 connections\n"
                        + "  22464657 requests in 30.00s, 17.76GB read\nRequests/sec: 748868.53\n");
        for (String option : new String[] {"--json", "--clients=400"}) {
            assertThat(fettle("judge", file.toString(), option).out)
                    .contains("http://***@127.0.0.1:8080/?token=***&x=1")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void publishedResultsAreJudged() {
        String example = Fettle.home().resolve("examples/judge/tomcat-ab.txt").toString();
        Ended e = fettle("judge", example);
        assertThat(e.code).isEqualTo(4);
        assertThat(e.out).contains("REFUSED", "connect-queue");
        assertThat(fettle("judge", "--clients", "500", "--mean", "201ms", "--rate", "2480/s").code)
                .isZero();
        assertThat(fettle("judge", "--clients", "500", "--mean", "201ms", "--rate", "6926/s", "--json").out)
                .contains("\"littles-law\"");
    }

    /** What is refused fails; the same figures are in the text and in the Markdown. */
    @Test
    void aJudgementIsWrittenForAPullRequestAndForACiServer() throws Exception {
        Path markdown = folder.resolve("result.md");
        Path junit = folder.resolve("result.xml");
        String example = Fettle.home().resolve("examples/judge/tomcat-ab.txt").toString();
        Ended e = fettle("judge", example, "--markdown", markdown.toString(), "--junit", junit.toString());
        assertThat(e.code).isEqualTo(4);
        assertThat(Files.readString(markdown))
                .startsWith("## judge\n\n**1 result refused**")
                .contains("12,228/s", "158 ms", "REFUSED");
        assertThat(Files.readString(junit))
                .contains("tests=\"1\" failures=\"1\" errors=\"0\"", "12,228/s", "connect-queue");
        Ended same = fettle("judge", example, "--markdown", markdown.toString(), "--junit", markdown.toString());
        assertThat(same.code).isEqualTo(2);
        assertThat(same.err).contains("is named for two outputs");
        assertThat(fettle("judge", example, "--junit", "/nowhere/x.xml").code).isEqualTo(2);
    }
}
