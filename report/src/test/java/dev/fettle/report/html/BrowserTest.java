package dev.fettle.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.report.Capacities;
import dev.fettle.report.Histories;
import dev.fettle.report.text.Runs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
    private static final int[] WIDTHS = {380, 1280};

    /**
     * Milliseconds of the page's own time. It runs ahead of frames that a busy machine is slow to draw: then it gets more. What is left of
     * it costs nothing, and a second try all of the first.
     */
    private static final int[] BUDGETS = {30_000, 120_000};

    private static final String CAPACITY = "capacity";
    private static final String HISTORY = "history";

    @TempDir
    static Path temp;

    private static Chromium.Document seen;

    /** Whether every frame has told what it found. */
    private static boolean hasAll() {
        return names().flatMap(n -> Arrays.stream(WIDTHS).mapToObj(w -> id(n, w)))
                .allMatch(frame -> seen.has("data-" + frame + "-drawn"));
    }

    private static String told(String frame, String what) {
        return seen.attribute("data-" + frame + "-" + what);
    }

    static Stream<String> names() {
        return Stream.concat(Runs.all().keySet().stream(), Stream.of(CAPACITY, HISTORY));
    }

    private static String page(HtmlReport reports, String name) {
        return switch (name) {
            case CAPACITY -> reports.render(Capacities.found());
            case HISTORY -> reports.render(Histories.found());
            default -> reports.render(Runs.all().get(name));
        };
    }

    private static Path file(String name) {
        return Path.of("build", "html").resolve(name + "-probed.html");
    }

    @BeforeAll
    static void look() throws Exception {
        Chromium chromium = Chromium.in(temp);
        Files.createDirectories(Path.of("build", "html"));
        var reports = new HtmlReport(List.of(probe()));
        for (String name : names().toList()) {
            Files.writeString(file(name), page(reports, name));
        }
        Path frames = framed();
        for (int budget : BUDGETS) {
            seen = chromium.open(frames, budget);
            if (hasAll()) {
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
            assertThat(told(frame, "errors"))
                    .as("errors of %s at %d", name, width)
                    .isEmpty();
            assertThat(Integer.parseInt(told(frame, "inner"))).isEqualTo(width);
            assertThat(Integer.parseInt(told(frame, "scroll")))
                    .as("width of %s at %d", name, width)
                    .isLessThanOrEqualTo(width);
            assertThat(told(frame, "undrawn"))
                    .as("plots of %s at %d", name, width)
                    .isEmpty();
            assertThat(told(frame, "drawn")).isEqualTo(Integer.toString(charts));
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

    private static int count(String text, String part) {
        int n = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
            n++;
        }
        return n;
    }
}
