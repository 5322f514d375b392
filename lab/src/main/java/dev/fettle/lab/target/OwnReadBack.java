package dev.fettle.lab.target;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.machine.DirectHttp;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Child;
import dev.fettle.load.transport.tls.TlsSetup;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.load.Load;
import dev.fettle.watch.jvm.RunningJvm;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads own knobs back from a target that answers, where the plan says how. */
final class OwnReadBack {
    private static final int MOST_BYTES = 1 << 20;
    private static final int MILLIS = 5_000;
    private static final Duration BOUND = Duration.ofMillis(MILLIS);

    /** Where Fettle runs, and so the user's programs. */
    private static final String HERE = Path.of("").toAbsolutePath().toString();

    private final RunningTarget running;
    private final Optional<Load> load;
    private final ObjectMapper json = new ObjectMapper();

    /** @param load what the target is asked as, over TLS for one; empty: over plain HTTP */
    OwnReadBack(RunningTarget running, Optional<Load> load) {
        this.running = running;
        this.load = load;
    }

    /** Adds the values in effect to those of the target; what can't be read is noted, with the reason. */
    void read(List<OwnKnob> own) throws InterruptedException {
        for (OwnKnob k : own) {
            if (k.read().isEmpty()) {
                continue;
            }
            try {
                running.readBack(k.name(), k.told(told(k.read().get())));
            } catch (IOException | IllegalArgumentException e) {
                running.note(k.name() + " not read back: " + e.getMessage());
            }
        }
    }

    private String told(OwnKnob.ReadBack how) throws IOException, InterruptedException {
        return switch (how) {
            case OwnKnob.Actuator(var metric) -> {
                String path = "/actuator/metrics/" + URLEncoder.encode(metric, StandardCharsets.UTF_8);
                yield value(path, "/measurements/0/value");
            }
            case OwnKnob.Document(var path, var pointer) ->
                pointer.isEmpty() ? get(path).strip() : value(path, pointer);
            case OwnKnob.Bean(var bean, var attribute) -> {
                if (running.process().isEmpty()) {
                    throw new IOException("the target's process is not known");
                }
                try (var jvm = RunningJvm.attach(running.pid())) {
                    yield jvm.attribute(bean, attribute);
                }
            }
            case OwnKnob.Output(var command) -> output(command);
        };
    }

    private String value(String path, String pointer) throws IOException, InterruptedException {
        JsonNode node;
        try {
            node = json.readTree(get(path));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IOException("GET " + path + " answers no JSON", e);
        }
        JsonNode at = node.at(pointer);
        if (!at.isValueNode() || at.isNull()) {
            throw new IOException("the answer to GET " + path + " has no value at " + pointer);
        }
        return at.asText();
    }

    private String get(String path) throws IOException, InterruptedException {
        URI url = load.map(l -> Readiness.uri(running, l, path))
                .orElseGet(() -> URI.create(Readiness.plain(running.address()) + path));
        HttpRequest request = HttpRequest.newBuilder(url).timeout(BOUND).build();
        try (HttpClient client = client()) {
            try {
                Readiness.Answer answer = Readiness.ask(client, request, BOUND);
                if (answer.status() != 200) {
                    throw new IOException("GET " + path + " answers " + answer.status());
                }
                return new String(answer.body(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new IOException(
                        TlsSetup.refusal(e)
                                .orElseGet(() -> e.getMessage() == null ? Readiness.words(e) : e.getMessage()),
                        e);
            } finally {
                client.shutdownNow();
            }
        }
    }

    private HttpClient client() throws IOException {
        if (load.isEmpty()) {
            return DirectHttp.client(BOUND).build();
        }
        try {
            return Readiness.client(running, load.get());
        } catch (TrialFailure e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private String output(List<String> command) throws IOException, InterruptedException {
        List<String> filled = command.stream()
                .map(a -> a.replace("{pid}", Long.toString(running.pid()))
                        .replace("{port}", Integer.toString(running.address().getPort())))
                .toList();
        Path folder = Files.createTempDirectory("fettle-read");
        Path log = folder.resolve("output");
        var inPlace = new ArrayList<>(List.of("sh", "-c", "cd -- \"$0\" && exec \"$@\"", HERE));
        inPlace.addAll(filled);
        try (Child child = Child.start("read command", inPlace, Map.of(), folder, log, Set.of())) {
            if (!child.awaitEnd(Duration.ofMillis(MILLIS))) {
                throw new IOException(command.getFirst() + " did not end within " + MILLIS / 1000 + " s");
            }
            int exit = child.exitCode().orElse(-1);
            if (exit != 0) {
                String words = child.tail(2);
                throw new IOException(
                        command.getFirst() + " ended with " + exit + (words.isEmpty() ? "" : ": " + words));
            }
            return child.whole(MOST_BYTES).strip();
        } catch (LabException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            Folders.delete(folder);
        }
    }
}
