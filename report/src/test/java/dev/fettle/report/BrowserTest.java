package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Opens reports in a real browser, at phone and desktop width. Skipped where there is no Chromium. */
class BrowserTest {
    private static final List<String> CHROMIUM =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final String CAPACITY = "capacity";

    @TempDir
    Path temp;

    static Stream<String> names() {
        return Stream.concat(Runs.all().keySet().stream(), Stream.of(CAPACITY));
    }

    private static String page(String name) throws IOException {
        var html = new HtmlReport(List.of(probe()));
        return name.equals(CAPACITY)
                ? html.render(Capacities.found())
                : html.render(Runs.all().get(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void drawsEverythingWithoutErrorsAtPhoneAndDesktopWidth(String name) throws Exception {
        Path chromium = CHROMIUM.stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(chromium != null, "no Chromium on this machine");
        Path file = Files.createDirectories(Path.of("build", "html")).resolve(name + "-probed.html");
        Files.writeString(file, page(name));
        for (int width : new int[] {380, 1280}) {
            String dom = dom(chromium, framed(file, width), width);
            assertThat(attribute(dom, "data-errors"))
                    .as("errors of %s at %d", name, width)
                    .isEmpty();
            assertThat(Integer.parseInt(attribute(dom, "data-inner"))).isEqualTo(width);
            assertThat(Integer.parseInt(attribute(dom, "data-scroll")))
                    .as("width of %s at %d", name, width)
                    .isLessThanOrEqualTo(width);
            assertThat(attribute(dom, "data-undrawn"))
                    .as("plots of %s at %d", name, width)
                    .isEmpty();
            assertThat(attribute(dom, "data-drawn"))
                    .isEqualTo(Integer.toString(count(Files.readString(file), "data-chart=\"")));
        }
    }

    private static String probe() throws IOException {
        try (InputStream in = BrowserTest.class.getResourceAsStream("probe.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Headless Chromium has a least window width above a phone's, so the report is looked at through a frame. */
    private Path framed(Path report, int width) throws IOException {
        Path frame = temp.resolve("frame-" + width + ".html");
        Files.writeString(
                frame,
                "<!doctype html><meta charset=utf-8><body style='margin:0'><iframe style='border:0;width:"
                        + width + "px;height:2000px' src='" + report.toUri()
                        + "'></iframe><script>addEventListener('message', e => {"
                        + "for (const [k, v] of Object.entries(e.data)) document.documentElement.setAttribute('data-' + k, v); });"
                        + "</script>");
        return frame;
    }

    private String dom(Path chromium, Path file, int width) throws Exception {
        Path profile = Files.createTempDirectory(temp, "profile");
        Path out = temp.resolve("dom.html");
        Path err = temp.resolve("err.txt");
        Process process = new ProcessBuilder(
                        chromium.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--hide-scrollbars",
                        "--user-data-dir=" + profile,
                        "--window-size=" + Math.max(600, width) + ",2000",
                        "--virtual-time-budget=5000",
                        "--dump-dom",
                        file.toUri().toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("Chromium ended")
                    .isTrue();
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
        return Files.readString(out);
    }

    private static String attribute(String dom, String name) {
        Matcher m = Pattern.compile("<html[^>]* " + name + "=\"([^\"]*)\"").matcher(dom);
        assertThat(m.find())
                .as("%s in %s", name, dom.substring(0, Math.min(400, dom.length())))
                .isTrue();
        return m.group(1);
    }

    private static int count(String text, String part) {
        var all = new ArrayList<Integer>();
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
            all.add(at);
        }
        return all.size();
    }
}
