package dev.fettle.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real browser without a window. A test that asks for it is skipped where there is none. */
record Chromium(Path program, Path folder) {
    private static final List<String> PROGRAMS =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** @param folder for its files */
    static Chromium in(Path folder) {
        Path chromium = PROGRAMS.stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(chromium != null, "no Chromium on this machine");
        return new Chromium(chromium, folder);
    }

    /** A page as it was in the end. */
    record Document(String text) {
        boolean has(String attribute) {
            return text.contains(" " + attribute + "=\"");
        }

        /** An attribute of its root. */
        String attribute(String name) {
            Matcher m = Pattern.compile("<html[^>]* " + name + "=\"([^\"]*)\"").matcher(text);
            assertThat(m.find())
                    .as("%s in %s", name, text.substring(0, Math.min(400, text.length())))
                    .isTrue();
            return m.group(1);
        }
    }

    /** @param budget milliseconds of the page's own time */
    Document open(Path page, int budget) throws Exception {
        Path out = folder.resolve("dom.html");
        Path err = folder.resolve("err.txt");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--hide-scrollbars",
                        "--user-data-dir=" + Files.createTempDirectory(folder, "profile"),
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
        return new Document(Files.readString(out));
    }
}
