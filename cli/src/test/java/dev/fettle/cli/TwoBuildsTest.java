package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.journal.Journal;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two builds of one small program, compared as a user does it: the newer one takes 2 ms for each answer, and the older a tenth of that. Whether a trial is valid
 * depends on what else this machine does, and is not asked: what is never said of any trials is that nothing became slower.
 */
@Order(1)
class TwoBuildsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    /** The program; how long it takes for an answer stands next to it in its jar. */
    static final class Shop {
        private Shop() {}

        public static void main(String[] port) throws IOException {
            long busy;
            try (var in = Objects.requireNonNull(Shop.class.getResourceAsStream("/busy"))) {
                busy = Long.parseLong(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
            }
            var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port[0]));
            HttpServer server = HttpServer.create(at, 50);
            server.setExecutor(Executors.newFixedThreadPool(2));
            server.createContext("/", e -> {
                long end = System.nanoTime() + busy;
                while (System.nanoTime() < end) {}
                e.sendResponseHeaders(200, 2);
                e.getResponseBody().write(new byte[] {'o', 'k'});
                e.close();
            });
            server.start();
        }
    }

    /** Builds it. */
    private static byte[] jar(String busyNanos) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Shop.class.getName());
        String name = Shop.class.getName().replace('.', '/') + ".class";
        var jar = new ByteArrayOutputStream();
        try (var in = Objects.requireNonNull(Shop.class.getResourceAsStream("/" + name));
                var out = new JarOutputStream(jar, manifest)) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
            out.putNextEntry(new JarEntry("busy"));
            out.write(busyNanos.getBytes(StandardCharsets.US_ASCII));
        }
        return jar.toByteArray();
    }

    private List<TrialOutcome> trials() throws Exception {
        Path file = folder.resolve(".fettle/journal.db");
        if (!Files.exists(file)) {
            return List.of();
        }
        try (Journal journal = Journal.open(file)) {
            return journal.runs().isEmpty()
                    ? List.of()
                    : journal.trials(journal.runs().getFirst().id());
        }
    }

    /** Begun, cut off after its first trial, resumed with another build, and resumed. */
    @Test
    void theSlowerBuildNeverPassesAndAnotherBuildIsNotMixedIn() throws Exception {
        Path old = Files.write(folder.resolve("shop-1.jar"), jar("200000"));
        byte[] second = jar("2000000");
        Path head = Files.write(folder.resolve("shop-2.jar"), second);
        var fettle = new Fettle(folder);
        Path plan = fettle.write("shop.yaml", """
                name: shop
                target:
                  command: ['{java}', -XX:TieredStopAtLevel=1, -XX:+UseSerialGC, -Dsun.net.httpserver.nodelay=true, -jar, %s, '{port}']
                load: {connections: 2, rate: 60/s, warm-up: 1s, measure: 500ms}
                compare: {pairs: 2, variants: {a: {}, b: {env: {X: y}}}}
                """.formatted(old));
        Process p = fettle.start(
                "compare",
                plan.toString(),
                "--variant",
                "old=" + old,
                "--variant",
                "new=" + head,
                "--fail-if-slower",
                "3%");
        while (trials().isEmpty() && p.isAlive()) {
            p.waitFor(100, TimeUnit.MILLISECONDS);
        }
        assertThat(p.isAlive()).as(fettle.out() + fettle.err()).isTrue();
        p.destroyForcibly().waitFor();

        Files.write(head, jar("3000000"));
        Fettle.Ended refused = fettle.run("resume");
        assertThat(refused.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).contains("shop-2.jar changed since shop-1 began");

        Files.write(head, second);
        Fettle.Ended ended = fettle.run("resume", "--json");
        JsonNode result = JSON.readTree(ended.out());
        JsonNode contrast = result.at("/conclusion/conditions/0/contrasts/0");
        boolean shown = contrast.path("differenceShown").asBoolean();
        assertThat(ended.code())
                .as(ended.err())
                .isIn(
                        shown
                                ? List.of(ExitCodes.CONDITION_MET)
                                : List.of(ExitCodes.NO_VALID_RESULT, ExitCodes.CANT_TELL));
        assertThat(ended.err().contains("SLOWER: new is worse than old")).isEqualTo(shown);

        List<TrialOutcome> trials = trials();
        assertThat(trials).hasSizeGreaterThanOrEqualTo(4);
        for (TrialOutcome trial : trials) {
            boolean isNew = trial.spec().variant().equals("new");
            assertThat(((Target.Command) trial.spec().target()).arguments())
                    .contains(List.of((isNew ? head : old).toString()));
            trial.measurement()
                    .filter(m -> isNew && m.responses() > 0)
                    .ifPresent(m -> assertThat(m.latency().p50())
                            .as("2 ms are spent on each answer; a histogram has three digits")
                            .isGreaterThan(1_990_000));
        }
        JsonNode parts = result.at("/environment/parts");
        assertThat(parts.get(old.toString()).asText()).matches("[0-9a-f]{64}");
        assertThat(parts.get(head.toString()).asText())
                .matches("[0-9a-f]{64}")
                .isNotEqualTo(parts.get(old.toString()).asText());
        assertThat(fettle.here("show", "latest").out())
                .contains("What differs", "SHA-256 of it", "shop-1.jar", "shop-2.jar");
    }
}
