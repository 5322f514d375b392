package dev.fettle.faults;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A control group of this process's own, with a limit; it leaves it and removes it when it ends. It needs the right to make groups:
 * root's, or a delegated hierarchy.
 */
final class ControlGroup {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String NAME = "fettle-fault-";

    private ControlGroup() {}

    /**
     * Moves this process into a group of its own.
     *
     * @param controller {@code cpu} or {@code pids}
     * @param second the file of version 2, and its text
     * @param first the files of version 1, and their texts
     */
    static void join(String controller, String[] second, List<String[]> first) throws IOException {
        Path unified = ROOT.resolve("cgroup.subtree_control");
        boolean two = Files.exists(unified)
                && List.of(Files.readString(unified).strip().split(" ", -1)).contains(controller);
        Path parent = two ? ROOT : ROOT.resolve(controller);
        if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
            throw new IOException("no right to make a control group for " + controller + " in " + parent);
        }
        removeOld(parent);
        Path group = Files.createDirectory(
                parent.resolve(NAME + ProcessHandle.current().pid()));
        for (String[] limit : two ? List.<String[]>of(second) : first) {
            Files.writeString(group.resolve(limit[0]), limit[1]);
        }
        move(group);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                move(parent);
                Files.deleteIfExists(group);
            } catch (IOException e) {
                // the next one removes it
            }
        }));
    }

    private static void move(Path group) throws IOException {
        Files.writeString(
                group.resolve("cgroup.procs"),
                Long.toString(ProcessHandle.current().pid()));
    }

    /** Removes the groups of servers that were killed; one with a process in it can't be removed, and stays. */
    private static void removeOld(Path parent) throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(parent, NAME + "*")) {
            for (Path p : old) {
                try {
                    Files.deleteIfExists(p);
                } catch (IOException e) {
                    // it is in use
                }
            }
        }
    }
}
