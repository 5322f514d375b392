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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Restores values that a killed Fettle had set in processes it did not start. */
public final class LeftBehind {
    private LeftBehind() {}

    /**
     * Goes through all processes recorded in a workspace.
     *
     * @param note receives what was put back
     * @throws LabException if a value can't be put back; the message names it
     */
    public static void putBack(Workspace workspace, Proc proc, Consumer<String> note) throws LabException {
        Path all = workspace.folder().resolve("processes");
        if (!Files.isDirectory(all)) {
            return;
        }
        List<Path> folders;
        try (Stream<Path> found = Files.list(all)) {
            folders = found.filter(f -> f.getFileName().toString().matches("[0-9]{1,18}-[0-9]{1,18}"))
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

    private static void putBack(Path folder, Guest guest, Consumer<String> note) throws LabException {
        var originals = new OriginalValues(folder);
        Optional<OriginalValues.Kept> kept = originals.read();
        if (kept.isEmpty()) {
            return;
        }
        if (!guest.alive()) {
            originals.delete();
            return;
        }
        Map<String, String> values = kept.get().values();
        String problem;
        try (var jvm = RunningJvm.attach(guest.pid())) {
            Optional<ServerBeans> beans = ServerBeans.of(jvm, kept.get().port());
            problem = beans.isEmpty()
                    ? "its MBeans are gone"
                    : LiveKnobs.putBack(settable(beans.get()), values).orElse("");
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
        }
        if (!problem.isEmpty()) {
            throw new LabException("process " + guest.pid()
                    + " still has values set by a Fettle that was killed, and "
                    + new TreeMap<>(values) + " could not be put back: " + problem + ". Set them by hand (jconsole "
                    + guest.pid() + ") and delete " + originals + ", or restart the process");
        }
        originals.delete();
        note.accept("process " + guest.pid() + " still had values set by a Fettle that was killed; put back: "
                + new TreeMap<>(values));
    }

    /** The knobs that can be set through a server's MBeans. */
    static LiveKnobs.Values settable(ServerBeans beans) throws IOException {
        var names = beans.settable();
        return new LiveKnobs.Values() {
            @Override
            public Map<String, String> read() throws IOException {
                var values = new TreeMap<>(beans.read());
                values.keySet().retainAll(names);
                return values;
            }

            @Override
            public void set(String knob, String value) throws IOException {
                beans.set(knob, value);
            }
        };
    }
}
