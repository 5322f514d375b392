package dev.fettle.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the agent answers who knows the port's token. PORT is the one the server listens on; without it, the first server found is used.
 *
 * <pre>
 * about [PORT]      ok {server, serverVersion, javaVersion, port, live}; live: the knobs that can be set
 * effective [PORT]  ok {knob: value, …}; null: the server has the knob, but it is not in effect or can't be read
 * stats [PORT]      {json}; also without a server: then without its pool
 * set PORT NAME=VALUE   ok {knob: value, …} in force then; only in a JVM that was started with the agent
 * </pre>
 */
final class Answers implements ControlPort.Answers {
    private final Finder finder;
    private final boolean maySet;
    private final Path file;

    /**
     * The last one found: finding it takes a walk over all threads, and "stats" is requested several times a second.
     */
    private volatile @Nullable ServerReader last;

    /**
     * Creates them.
     *
     * @param maySet whether knobs may be set: not in a server that ran before the agent came
     * @param file says where the port is; deleted before the port closes, so that nobody deletes that of the next one
     */
    Answers(Finder finder, boolean maySet, Path file) {
        this.finder = finder;
        this.maySet = maySet;
        this.file = file;
    }

    @Override
    public String answer(String question) {
        String[] words = question.split(" +", -1);
        int port = words.length == 2 ? port(words[1]) : 0;
        if (words.length <= 2) {
            switch (words[0]) {
                case "about":
                    return "ok " + Json.write(about(server(port)));
                case "effective":
                    return "ok " + Json.write(server(port).effective());
                case "stats":
                    return Json.write(stats(find(port)));
                default:
                    break;
            }
        }
        if (words.length == 3 && words[0].equals("set")) {
            return "ok " + Json.write(set(server(port(words[1])), words[2]).effective());
        }
        throw new ControlPort.UnknownQuestion("about, effective and stats are known, each with a port or without");
    }

    @Override
    public void unused() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // it leads to a closed port then
        }
    }

    private static int port(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > 65_535) {
            throw new IllegalArgumentException("a port is wanted, 0 to 65535");
        }
        return Integer.parseInt(text);
    }

    private ServerReader server(int port) {
        ServerReader found = find(port);
        if (found != null) {
            return found;
        }
        List<ServerReader> all = finder.all();
        throw new IllegalStateException(
                all.isEmpty()
                        ? "no " + KnobTable.titles() + " found in this JVM"
                        : "none of the servers in this JVM listens on port " + port + ", but "
                                + all.stream()
                                        .map(s -> s.server() + " on " + s.port())
                                        .collect(Collectors.joining(", ")));
    }

    private @Nullable ServerReader find(int port) {
        ServerReader known = last;
        if (known == null || (port == 0 ? known.port() <= 0 : known.port() != port)) {
            known = finder.on(port);
            last = known;
        }
        return known;
    }

    private ServerReader set(ServerReader server, String assignment) {
        if (!maySet) {
            throw new IllegalStateException("nothing is set in a server that ran before the agent came");
        }
        int equals = Math.max(0, assignment.indexOf('='));
        String name = assignment.substring(0, equals);
        Knob knob = KnobTable.of(server.server())
                .find(name)
                .filter(k -> server.live().contains(name))
                .orElseThrow(() -> new IllegalArgumentException(
                        name + " cannot be changed while the server runs; live now: " + server.live()));
        String text = assignment.substring(equals + 1);
        long value = text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : Long.MIN_VALUE;
        if (value < knob.min() || value > knob.max()) {
            throw new IllegalArgumentException(
                    name + "=" + text + ": a whole number from " + knob.min() + " to " + knob.max() + " is wanted");
        }
        if (!server.set(knob, value)) {
            throw new IllegalStateException(server.server() + " refused " + assignment);
        }
        return server;
    }

    private Map<String, @Nullable Object> about(ServerReader server) {
        Map<String, @Nullable Object> about = new LinkedHashMap<>();
        about.put("server", server.server());
        about.put("serverVersion", server.version());
        about.put("javaVersion", Runtime.version().toString());
        about.put("port", server.port());
        about.put("live", maySet ? server.live() : List.of());
        return about;
    }

    private static Map<String, @Nullable Object> stats(@Nullable ServerReader server) {
        Map<String, @Nullable Object> stats = new LinkedHashMap<>();
        (server == null ? Pool.UNKNOWN_POOL : server.pool()).addTo(stats);
        ProcessStats.addTo(stats);
        return stats;
    }
}
