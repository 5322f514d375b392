package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.process.Guest;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ServerBeans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Restores values that Fettle had set in processes it did not start, and could not put back: it was killed, or not answered. */
public final class LeftBehind {
    /** For one call into a server: it may be stopped, or hang on its way to a safepoint. */
    static final Duration CALL_BOUND = Duration.ofSeconds(10);

    private LeftBehind() {}

    /**
     * Goes through all processes recorded in a workspace.
     *
     * @param note receives what was put back
     * @throws LabException if a value can't be put back; the message names it
     */
    public static void putBack(Workspace workspace, Proc proc, Consumer<String> note)
            throws LabException, InterruptedException {
        Path all = workspace.part("processes");
        if (!Files.isDirectory(all)) {
            return;
        }
        List<Path> folders;
        try (Stream<Path> found = Files.list(all)) {
            folders = found.filter(f -> !Files.isSymbolicLink(f))
                    .filter(f -> f.getFileName().toString().matches("[0-9]{1,18}-[0-9]{1,18}"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new LabException("cannot read " + all + ": " + e.getMessage(), e);
        }
        for (Path folder : folders) {
            String[] name = folder.getFileName().toString().split("-");
            putBack(folder, new Guest(proc, Long.parseLong(name[0]), Long.parseLong(name[1])), note);
        }
    }

    /**
     * Restores what is owed to one process, if anything is.
     *
     * @param folder of the process, see {@link OriginalValues#folder}
     * @throws LabException if a value can't be put back: whatever is measured with it is not what it is called
     */
    static void putBack(Path folder, Guest guest, Consumer<String> note) throws LabException, InterruptedException {
        var originals = new OriginalValues(folder);
        Optional<OriginalValues.Kept> kept = originals.read();
        if (kept.isEmpty()) {
            return;
        }
        if (originals.isElsewhere()) {
            note.accept("process " + guest.pid()
                    + " of another machine or container, or from before this one was started, has yet"
                    + " to get values back that a trial changed: a Fettle there does that; if the process has ended, delete "
                    + originals);
            return;
        }
        if (!guest.alive()) {
            originals.delete();
            return;
        }
        Map<String, String> values = kept.get().values();
        String problem;
        try (var jvm = RunningJvm.attach(guest.pid())) {
            Optional<LiveKnobs.Values> server = settable(jvm, kept.get().port(), CALL_BOUND);
            problem = server.isEmpty()
                    ? "its MBeans are gone"
                    : LiveKnobs.putBack(server.get(), values).orElse("");
        } catch (IOException e) {
            checkInterrupted();
            problem = String.valueOf(e.getMessage());
        }
        if (!problem.isEmpty()) {
            throw new LabException("process " + guest.pid()
                    + " still has values that an earlier trial set, and "
                    + new TreeMap<>(values) + " could not be put back: " + problem + ". Set them by hand (jconsole "
                    + guest.pid() + ") and delete " + originals + ", or restart the process");
        }
        originals.delete();
        note.accept("process " + guest.pid() + " still had values that an earlier trial set; put back: "
                + new TreeMap<>(values));
    }

    /**
     * The knobs that can be set through the MBeans of the server on a port; empty if it has registered none.
     *
     * @param atMost how long each call is waited for
     * @throws IOException if the JVM does not answer
     */
    static Optional<LiveKnobs.Values> settable(RunningJvm jvm, int port, Duration atMost) throws IOException {
        Optional<ServerBeans> found = jvm.ask(atMost, () -> ServerBeans.of(jvm, port));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ServerBeans beans = found.get();
        Set<String> names = jvm.ask(atMost, beans::settable);
        return Optional.of(new LiveKnobs.Values() {
            @Override
            public Map<String, String> read() throws IOException {
                var values = new TreeMap<>(jvm.ask(atMost, beans::read));
                values.keySet().retainAll(names);
                return values;
            }

            @Override
            public void set(String knob, String value) throws IOException {
                jvm.ask(atMost, () -> {
                    beans.set(knob, value);
                    return true;
                });
            }
        });
    }

    /** An interrupt shows as an {@link IOException} of a call into a JVM. */
    static void checkInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
