package dev.fettle.cli.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.cli.option.Converters;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.report.WatchReport;
import dev.fettle.report.html.LiveState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The page of a run that goes on, in a real browser. */
class LivePageTest {
    private static final String POINTS =
            "Fettle.data.watch.trials[0].plots.flat().find(s => s.id === 'load.rate').values.length";

    @TempDir
    static Path temp;

    private static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        browser = new Browser(temp);
    }

    @AfterAll
    static void end() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    @Command
    static final class Options {
        @Mixin
        LivePageOptions live = new LivePageOptions();

        @Parameters(arity = "0..1")
        @Nullable
        String plan;
    }

    @ParameterizedTest
    @CsvSource({
        "--live-page, 0, ''",
        "--live-page plan.yaml, 0, plan.yaml",
        "plan.yaml --live-page, 0, plan.yaml",
        "--live-page=9500 plan.yaml, 9500, plan.yaml",
        "--live-page 9500 plan.yaml, 9500, plan.yaml",
        "--live-page --keep-page 5s plan.yaml, 0, plan.yaml",
        "plan.yaml, -1, plan.yaml",
    })
    void thePortMayBeLeftOut(String typed, int port, String plan) {
        var options = new Options();
        line(options).parseArgs(typed.split(" "));
        assertThat(options.live.port().orElse(-1)).isEqualTo(port);
        assertThat(options.plan == null ? "" : options.plan).isEqualTo(plan);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--live-page=abc", "--live-page=70000", "--live-page=-1", "--keep-page 5s"})
    void whatIsNoPortIsRefused(String typed) {
        var options = new Options();
        assertThatThrownBy(() -> {
                    line(options).parseArgs(typed.split(" "));
                    options.live.port();
                })
                .isInstanceOfAny(CliException.class, CommandLine.ParameterException.class);
    }

    private static CommandLine line(Options options) {
        var line = new CommandLine(options);
        Converters.register(line);
        return line;
    }

    /** A page, and where it said it is. */
    private static final class Opened implements AutoCloseable {
        private final StringWriter said = new StringWriter();
        private final List<String> acts = new ArrayList<>();
        private final LivePage page;

        Opened() throws Exception {
            var options = new Options();
            var line = new CommandLine(options);
            line.parseArgs("--live-page");
            line.setOut(new PrintWriter(said));
            WatchReport first = report(0, "");
            page = LivePage.open(options.live, new Screen(line, false, false), r -> r.soFar(first), (button, note) -> {
                        acts.add(button.id() + " " + note);
                        return "done: " + button.id();
                    })
                    .orElseThrow();
        }

        String link(boolean acting) {
            List<String> links = Pattern.compile("http://\\S+")
                    .matcher(said.toString())
                    .results()
                    .map(m -> m.group())
                    .toList();
            return links.get(acting ? 1 : 0);
        }

        void show(int seconds) {
            WatchReport now = report(seconds, "");
            page.show("second " + seconds, List.of(LiveState.Button.STOP, LiveState.Button.MARK), r -> r.soFar(now));
        }

        @Override
        public void close() {
            page.close();
        }
    }

    /** A watch of so many seconds, with rising figures. */
    private static WatchReport report(int seconds, String evil) {
        var series = Map.of(
                Signals.LOAD_RATE,
                        Series.of(IntStream.range(0, seconds)
                                .mapToDouble(i -> 100 + i)
                                .toArray()),
                Signals.LOAD_P99,
                        Series.of(IntStream.range(0, seconds)
                                .mapToDouble(i -> 5 + i % 3)
                                .toArray()));
        List<Sighting> seen = evil.isEmpty() ? List.of() : List.of(new Sighting("wait", evil, 1));
        return new WatchReport(
                "process 1" + evil, List.of(), Timeline.of(0, 1000, seconds == 0 ? Map.of() : series, Map.of(), seen));
    }

    @Test
    void whoComesLateSeesAllAndFollows() throws Exception {
        try (var o = new Opened()) {
            o.show(30);
            var tab = browser.tab(true);
            tab.go(o.link(false));
            tab.until("document.getElementById('live') && " + POINTS + " === 30");
            assertThat(tab.is("location.href").asText())
                    .doesNotContain("token")
                    .matches("http://127.0.0.1:\\d+/[0-9a-f]{16}/");
            assertThat(tab.is("document.cookie").asText())
                    .as("scripts have no cookie")
                    .isEmpty();
            assertThat(tab.is("document.querySelectorAll('[data-act]').length").asInt())
                    .isZero();
            o.show(31);
            tab.until(POINTS + " === 31 && document.getElementById('doing').textContent === 'second 31'");
            tab.is("document.querySelector('details.data').open = true");
            tab.reload();
            tab.until("document.getElementById('live') && " + POINTS + " === 31");
            o.show(40);
            tab.until(POINTS + " === 40");
            assertThat(tab.is("Fettle.data.watch.trials[0].plots.flat().find(s => s.id === 'load.rate').values[0]")
                            .asDouble())
                    .isEqualTo(100);
            var another = browser.tab(true);
            another.go(o.link(false));
            another.until("document.getElementById('live') && " + POINTS + " === 40");
            o.show(41);
            another.until(POINTS + " === 41");
            tab.until(POINTS + " === 41");
            assertThat(tab.errors()).isEmpty();
            assertThat(another.errors()).isEmpty();
        }
    }

    @Test
    void whatAReaderHasOpenedStaysOpen() throws Exception {
        try (var o = new Opened()) {
            o.show(10);
            var tab = browser.tab(true);
            tab.go(o.link(false));
            tab.until("document.getElementById('live') && " + POINTS + " === 10");
            tab.is(
                    "document.querySelector('details.data').open = true; window.kept = document.querySelector('.chart')");
            o.show(20);
            tab.until(POINTS + " === 20");
            assertThat(tab.is("document.querySelector('details.data').open").asBoolean())
                    .isTrue();
            assertThat(tab.is("document.querySelector('.chart') === window.kept")
                            .asBoolean())
                    .isTrue();
            tab.until("document.querySelector('.chart svg')");
        }
    }

    /** A laptop that sleeps: nothing is lost, and nothing is queued for it meanwhile. */
    @Test
    void whoWasAwayGetsWhatItLacks() throws Exception {
        try (var o = new Opened()) {
            o.show(10);
            var tab = browser.tab(true);
            tab.go(o.link(false));
            tab.until("document.getElementById('live') && " + POINTS + " === 10");
            tab.offline(true);
            for (int i = 11; i < 20; i++) {
                o.show(i);
            }
            tab.offline(false);
            tab.until(POINTS + " === 19");
        }
    }

    @Test
    void atTheEndItIsTheReportAndASavedFileStandsAlone() throws Exception {
        try (var o = new Opened()) {
            o.show(10);
            var tab = browser.tab(true);
            tab.go(o.link(false));
            tab.until("document.getElementById('live') && " + POINTS + " === 10");
            String soFar = tab.is("fetch('save').then(r => r.text())").asText();
            WatchReport last = report(12, "");
            o.page.end(r -> r.page(last));
            tab.until("document.querySelector('.live.ended') && " + POINTS + " === 12");
            Browser.until(() -> !o.page.isFollowed());
            for (String saved :
                    List.of(soFar, tab.is("fetch('save').then(r => r.text())").asText())) {
                Path file = Files.writeString(temp.resolve("saved.html"), saved);
                var alone = browser.tab(true);
                alone.offline(true);
                alone.go(file.toUri().toString());
                alone.until("document.querySelector('.chart svg')");
                assertThat(alone.is("document.getElementById('live')").isNull()).isTrue();
                assertThat(saved).doesNotContain("connect-src", o.link(false));
                assertThat(alone.errors()).isEmpty();
            }
            assertThat(tab.errors()).isEmpty();
        }
    }

    @Test
    void buttonsActOnlyForTheirLink() throws Exception {
        try (var o = new Opened()) {
            o.show(10);
            var tab = browser.tab(true);
            tab.go(o.link(true));
            tab.until("document.readyState === 'complete' && document.querySelector('[data-act=mark]:not([hidden])')");
            tab.is("window.prompt = () => 'deployed <b>'; document.querySelector('[data-act=mark]').click()");
            tab.until("document.getElementById('doing').textContent.includes('done: mark')");
            assertThat(o.acts).containsExactly("mark deployed <b>");
            String post =
                    "fetch('act/%s', {method: 'POST', body: '', headers: {'Fettle-Secret': '%s'}}).then(r => r.status)";
            String secret =
                    tab.is("document.getElementById('live').dataset.secret").asText();
            assertThat(tab.is(post.formatted("nothing", secret)).asInt()).isEqualTo(409);
            assertThat(tab.is(post.formatted("stop", "x")).asInt()).isEqualTo(403);
            var reader = browser.tab(true);
            reader.go(o.link(false));
            reader.until("document.getElementById('live')");
            assertThat(reader.is(post.formatted("stop", secret)).asInt()).isEqualTo(403);
            assertThat(o.acts).hasSize(1);
        }
    }

    /** A page of another server on this machine, in the same browser, which has the cookie. */
    @Test
    void pagesOfAnotherOriginGetNothing() throws Exception {
        try (var o = new Opened();
                var other = new Opened()) {
            o.show(10);
            var tab = browser.tab(true);
            tab.go(o.link(true));
            tab.until("document.readyState === 'complete' && document.querySelector('[data-act=mark]:not([hidden])')");
            String place = tab.is("location.href").asText();
            String secret =
                    tab.is("document.getElementById('live').dataset.secret").asText();
            tab.go(other.link(false));
            tab.until("location.href !== " + '"' + place + "\" && document.getElementById('live')");
            assertThat(tab.is("fetch('" + place + "').then(r => r.text(), e => 'refused')")
                            .asText())
                    .isEqualTo("refused");
            HttpClient plain = HttpClient.newHttpClient();
            String cookie = cookie(plain, o.link(true));
            for (String site : List.of("same-site", "cross-site")) {
                assertThat(plain.send(
                                        HttpRequest.newBuilder(URI.create(place))
                                                .header("Cookie", cookie)
                                                .header("Sec-Fetch-Site", site)
                                                .build(),
                                        HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(403);
            }
            assertThat(plain.send(
                                    HttpRequest.newBuilder(URI.create(place + "act/stop"))
                                            .header("Cookie", cookie)
                                            .header("Fettle-Secret", secret)
                                            .header("Origin", "http://127.0.0.1:1")
                                            .POST(HttpRequest.BodyPublishers.noBody())
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(403);
            assertThat(o.acts).isEmpty();
            plain.close();
        }
    }

    private static String cookie(HttpClient client, String link) throws Exception {
        String set = client.send(HttpRequest.newBuilder(URI.create(link)).build(), HttpResponse.BodyHandlers.ofString())
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
        Matcher m = Pattern.compile("^(fettle=[0-9a-f]{32});").matcher(set);
        assertThat(m.find()).isTrue();
        return m.group(1);
    }

    @Test
    void whatOthersWroteIsText() throws Exception {
        try (var o = new Opened()) {
            WatchReport evil =
                    report(5, "<img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>");
            o.page.show("<img src=x onerror=window.hacked=1>", List.of(), r -> r.soFar(evil));
            var tab = browser.tab(true);
            tab.go(o.link(false));
            tab.until("document.getElementById('live') && " + POINTS + " === 5");
            WatchReport more =
                    report(6, "<img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>");
            o.page.show("<i>", List.of(), r -> r.soFar(more));
            tab.until(POINTS + " === 6");
            assertThat(tab.is("window.hacked === undefined && document.images.length === 0")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void nobodyKeepsItOpen() throws Exception {
        var o = new Opened();
        o.show(3);
        var tab = browser.tab(true);
        tab.go(o.link(false));
        tab.until("document.getElementById('live')");
        Browser.until(o.page::isFollowed);
        o.close(); // returns although a browser follows
        tab.until("document.querySelector('.live.lost')");
    }
}
