package dev.fettle.cli.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real browser without a window, driven over its debugging protocol. A test that asks for one is skipped where there is none. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> PROGRAMS =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<JsonNode> said = new CopyOnWriteArrayList<>();

    /** @param folder for its files */
    Browser(Path folder) throws Exception {
        Path chromium = PROGRAMS.stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(chromium != null, "no Chromium on this machine");
        Path profile = Files.createTempDirectory(folder, "profile");
        process = new ProcessBuilder(
                        chromium.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(folder.resolve("browser.out").toFile())
                .redirectError(folder.resolve("browser.err").toFile())
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
        List<String> at = Files.readAllLines(port);
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + at.get(0) + at.get(1)), new Listener())
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                try {
                    JsonNode message = JSON.readTree(text.toString());
                    if (message.has("id")) {
                        waiting.remove(message.get("id").asInt()).complete(message);
                    } else {
                        said.add(message);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private JsonNode ask(String session, String method, ObjectNode parameters) throws Exception {
        int id = ids.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        var answer = new CompletableFuture<JsonNode>();
        waiting.put(id, answer);
        synchronized (this) {
            socket.sendText(message.toString(), true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        JsonNode said = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(said.path("error").isMissingNode())
                .as("%s: %s", method, said)
                .isTrue();
        return said.get("result");
    }

    /** A condition that comes true; waited for, whatever the machine does meanwhile. */
    interface Condition {
        boolean holds() throws Exception;
    }

    static void until(Condition condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime() - end).as("patience").isNegative();
            Thread.sleep(50);
        }
    }

    /** A tab, in a context of its own if it is another person's browser. */
    Tab tab(boolean another) throws Exception {
        ObjectNode of = JSON.createObjectNode().put("url", "about:blank");
        if (another) {
            of.put(
                    "browserContextId",
                    ask("", "Target.createBrowserContext", JSON.createObjectNode())
                            .get("browserContextId")
                            .asText());
        }
        String target = ask("", "Target.createTarget", of).get("targetId").asText();
        String session = ask(
                        "",
                        "Target.attachToTarget",
                        JSON.createObjectNode().put("targetId", target).put("flatten", true))
                .get("sessionId")
                .asText();
        var tab = new Tab(session);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            tab.ask(domain + ".enable", JSON.createObjectNode());
        }
        return tab;
    }

    final class Tab {
        private final String session;

        private Tab(String session) {
            this.session = session;
        }

        private JsonNode ask(String method, ObjectNode parameters) throws Exception {
            return Browser.this.ask(session, method, parameters);
        }

        void go(String url) throws Exception {
            ask("Page.navigate", JSON.createObjectNode().put("url", url));
        }

        void reload() throws Exception {
            ask("Page.reload", JSON.createObjectNode());
        }

        void size(int width, int height) throws Exception {
            ask(
                    "Emulation.setDeviceMetricsOverride",
                    JSON.createObjectNode()
                            .put("width", width)
                            .put("height", height)
                            .put("deviceScaleFactor", 1)
                            .put("mobile", false));
        }

        void dark(boolean dark) throws Exception {
            ObjectNode media = JSON.createObjectNode();
            media.putArray("features")
                    .addObject()
                    .put("name", "prefers-color-scheme")
                    .put("value", dark ? "dark" : "light");
            ask("Emulation.setEmulatedMedia", media);
        }

        void offline(boolean off) throws Exception {
            ask(
                    "Network.emulateNetworkConditions",
                    JSON.createObjectNode()
                            .put("offline", off)
                            .put("latency", 0)
                            .put("downloadThroughput", -1)
                            .put("uploadThroughput", -1));
        }

        /** What an expression is; a promise's value. */
        JsonNode is(String expression) throws Exception {
            return ask(
                            "Runtime.evaluate",
                            JSON.createObjectNode()
                                    .put("expression", expression)
                                    .put("returnByValue", true)
                                    .put("awaitPromise", true))
                    .path("result")
                    .path("value");
        }

        void until(String expression) throws Exception {
            Browser.until(() -> is("Boolean(" + expression + ")").asBoolean());
        }

        /** Errors of scripts and of the policy so far, in words. */
        List<String> errors() {
            var all = new ArrayList<String>();
            for (JsonNode m : said) {
                boolean mine = m.path("sessionId").asText().equals(session);
                String method = m.path("method").asText();
                if (mine && method.equals("Runtime.exceptionThrown")) {
                    all.add(m.path("params").path("exceptionDetails").toString());
                }
                JsonNode entry = m.path("params").path("entry");
                if (mine
                        && method.equals("Log.entryAdded")
                        && entry.path("level").asText().equals("error")) {
                    all.add(entry.path("text").asText() + " "
                            + entry.path("url").asText());
                }
            }
            return all;
        }

        void picture(Path to, boolean whole) throws Exception {
            JsonNode shot = ask(
                    "Page.captureScreenshot",
                    JSON.createObjectNode().put("format", "png").put("captureBeyondViewport", whole));
            Files.write(to, Base64.getDecoder().decode(shot.get("data").asText()));
        }
    }

    @Override
    public void close() throws Exception {
        socket.abort();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            process.waitFor();
        }
        // they may end after it, and write into its folder until then
        children.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle child : children) {
            child.onExit().join();
        }
        client.close();
    }
}
