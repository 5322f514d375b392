package dev.fettle.lab.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.lab.port.LiveSettings;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.text.OptionalFigure;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sets knobs of a running target over its control port, on a connection of its own that is opened when it is needed. */
public final class LiveControl implements LiveSettings, AutoCloseable {
    /** Nothing is measured meanwhile, so there is time. */
    private static final int ANSWER_MILLIS = 60_000;

    private final ControlAddress address;
    private final String server;
    private final Set<String> live;
    private @Nullable ControlProbe open;

    /**
     * Creates it; nothing is connected yet.
     *
     * @param port which server is meant, for the agent, which may find several; empty: there is only one
     * @param live the knobs that the target takes now
     */
    LiveControl(ControlAddress address, OptionalInt port, Set<String> live) {
        this.address = address;
        this.server = port.isPresent() ? " " + port.getAsInt() : "";
        this.live = Set.copyOf(live);
    }

    @Override
    public Set<String> live() {
        return live;
    }

    @Override
    public Map<String, String> values() throws IOException {
        var values = new TreeMap<String, String>();
        for (var e : ask("effective" + server).properties()) {
            JsonNode value = e.getValue();
            if (!value.isNull()) {
                values.put(e.getKey(), value.asText());
            }
        }
        return values;
    }

    @Override
    public void set(String knob, String value) throws IOException {
        String plain = Knobs.find(knob).map(k -> k.plain(value)).orElse(value); // the agent knows no 300m
        JsonNode inForce = ask("set" + server + " " + knob + "=" + plain);
        if (!inForce.isObject()) {
            throw new IOException("set " + knob + "=" + value + " was answered with " + inForce);
        }
    }

    @Override
    public OptionalFigure workers() throws IOException {
        JsonNode workers = ask("stats" + server).path("workers");
        return workers.isNumber() ? OptionalFigure.of(workers.asDouble()) : OptionalFigure.empty();
    }

    private JsonNode ask(String question) throws IOException {
        return port().ask(question, ANSWER_MILLIS);
    }

    private ControlProbe port() throws IOException {
        ControlProbe there = open;
        if (there == null) {
            there = ControlProbe.connect(address);
            open = there;
        }
        return there;
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
        }
    }
}
