package dev.fettle.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.report.Capacities;
import dev.fettle.report.text.Runs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Opens reports in a real browser, at phone and desktop width: all of them at once, each in frames of its own, since starting the
 * browser takes longer than drawing them. Skipped where there is no Chromium.
 */
class BrowserTest {
    private static final List<String> CHROMIUM =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int[] WIDTHS = {380, 1280};

    /** Milliseconds of the page's own time. It runs ahead of frames that a busy machine is slow to draw: then it gets more. */
    private static final int[] BUDGETS = {5_000, 30_000, 120_000};

    private static final String CAPACITY = "capacity";

    @TempDir
    static Path temp;

    private static Document seen;

    /** The page with the frames, as it was in the end. */
    private record Document(String text) {
        /** Whether every frame has told what it found. */
        boolean hasAll() {
            return names().flatMap(n -> Arrays.stream(WIDTHS).mapToObj(w -> id(n, w)))
                    .allMatch(frame -> text.contains(" data-" + frame + "-drawn=\""));
        }

        String attribute(String name) {
            Matcher m =
                    Pattern.compile("<html[^>]* data-" + name + "=\"([^\"]*)\"").matcher(text);
            assertThat(m.find())
                    .as("%s in %s", name, text.substring(0, Math.min(400, text.length())))
                    .isTrue();
            return m.group(1);
        }
    }

    static Stream<String> names() {
        return Stream.concat(Runs.all().keySet().stream(), Stream.of(CAPACITY));
    }

    private static String page(HtmlReport reports, String name) {
        return name.equals(CAPACITY)
                ? reports.render(Capacities.found())
                : reports.render(Runs.all().get(name));
    }

    private static Path file(String name) {
        return Path.of("build", "html").resolve(name + "-probed.html");
    }

    @BeforeAll
    static void look() throws Exception {
        Path chromium = CHROMIUM.stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(chromium != null, "no Chromium on this machine");
        Files.createDirectories(Path.of("build", "html"));
        var reports = new HtmlReport(List.of(probe()));
        for (String name : names().toList()) {
            Files.writeString(file(name), page(reports, name));
        }
        Path frames = framed();
        for (int budget : BUDGETS) {
            seen = new Document(dom(chromium, frames, budget));
            if (seen.hasAll()) {
                return;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void drawsEverythingWithoutErrorsAtPhoneAndDesktopWidth(String name) throws Exception {
        int charts = count(Files.readString(file(name)), "data-chart=\"");
        for (int width : WIDTHS) {
            String frame = id(name, width);
            assertThat(seen.attribute(frame + "-errors"))
                    .as("errors of %s at %d", name, width)
                    .isEmpty();
            assertThat(Integer.parseInt(seen.attribute(frame + "-inner"))).isEqualTo(width);
            assertThat(Integer.parseInt(seen.attribute(frame + "-scroll")))
                    .as("width of %s at %d", name, width)
                    .isLessThanOrEqualTo(width);
            assertThat(seen.attribute(frame + "-undrawn"))
                    .as("plots of %s at %d", name, width)
                    .isEmpty();
            assertThat(seen.attribute(frame + "-drawn")).isEqualTo(Integer.toString(charts));
        }
    }

    private static String probe() throws IOException {
        try (InputStream in = BrowserTest.class.getResourceAsStream("/dev/fettle/report/probe.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Attributes of HTML are in lower case. */
    private static String id(String name, int width) {
        return name.toLowerCase(Locale.ROOT) + "-" + width;
    }

    /**
     * Headless Chromium has a least window width above a phone's, so the reports are looked at through frames. They lie one above
     * the other, because what is out of sight is not drawn.
     */
    private static Path framed() throws IOException {
        var page = new StringBuilder("<!doctype html><meta charset=utf-8><body style='margin:0'>");
        for (String name : names().toList()) {
            for (int width : WIDTHS) {
                page.append("<iframe id='%s' style='position:absolute;left:0;top:0;border:0;width:%dpx;height:2000px'"
                                .formatted(id(name, width), width))
                        .append(" src='")
                        .append(file(name).toAbsolutePath().toUri())
                        .append("'></iframe>");
            }
        }
        page.append("<script>addEventListener('message', e => { for (const f of document.querySelectorAll('iframe'))"
                + " if (f.contentWindow === e.source) for (const [k, v] of Object.entries(e.data))"
                + " document.documentElement.setAttribute('data-' + f.id + '-' + k, v); });</script>");
        return Files.writeString(temp.resolve("frames.html"), page);
    }

    private static String dom(Path chromium, Path page, int budget) throws Exception {
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
                        "--user-data-dir=" + Files.createTempDirectory(temp, "profile"),
                        "--window-size=1280,2000",
                        "--virtual-time-budget=" + budget,
                        "--dump-dom",
                        page.toUri().toString())
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

    private static int count(String text, String part) {
        int n = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
            n++;
        }
        return n;
    }
}
