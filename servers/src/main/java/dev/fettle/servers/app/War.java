package dev.fettle.servers.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A web application, unpacked. */
public final class War implements Content {
    private final Path folder;
    private final String context;
    private final Path scratch;
    private final Requests requests = new Requests();
    private final List<String> notes = new ArrayList<>();

    /**
     * A web application.
     *
     * @param folder the content of the WAR
     * @param context where it is deployed: {@code /} or {@code /shop}
     * @param scratch for the server's own files, including compiled JSPs; the caller deletes it
     */
    War(Path folder, String context, Path scratch) {
        this.folder = folder;
        this.context = context;
        this.scratch = scratch;
    }

    public Path folder() {
        return folder;
    }

    public String context() {
        return context;
    }

    public Path scratch() {
        return scratch;
    }

    /** Must be told of each request. */
    public Requests requests() {
        return requests;
    }

    /** Notes what the server ignores, before it serves. */
    public void note(List<String> lines) {
        notes.addAll(lines);
    }

    @Override
    public Map<String, Object> facts() {
        return Map.of();
    }

    @Override
    public List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public long inFlight() {
        return requests.inFlight();
    }

    @Override
    public long finished() {
        return requests.finished();
    }
}
