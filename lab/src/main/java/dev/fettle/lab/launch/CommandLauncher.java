package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.CommandArguments;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Placeholders;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Launches a target that is a command, with its files and artifacts in the trial's folder. */
public record CommandLauncher(LabEnvironment env, ProgramLauncher launching, Artifacts artifacts) {
    private static final Set<PosixFilePermission> OPEN = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> OPEN_FOLDER = PosixFilePermissions.fromString("rwx--x--x");

    /** Starts the command with a free port, and waits until it listens. */
    public RunningTarget launch(Target.Command target, Setting setting, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        int port = Ports.freePort();
        var values = new CommandArguments.Values(
                port,
                env.jdks().java(target.jvm().java()),
                folder,
                JvmArguments.of(target.jvm(), setting),
                resolve(target.artifacts()),
                setting);
        List<String> command = CommandArguments.fill(target.arguments(), values);
        Map<String, String> environment = CommandArguments.fill(target.environment(), values::value);
        var files = new LinkedHashMap<>(target.files());
        target.templates().forEach((path, text) -> files.put(path, Placeholders.expandLines(text, values::value)));
        try {
            for (var file : files.entrySet()) {
                Path path = folder.resolve(file.getKey()).normalize();
                if (!path.startsWith(folder)) {
                    throw new LabException("file '" + file.getKey() + "' of the target would lie outside its folder");
                }
                write(path, file.getValue(), folder);
            }
        } catch (IOException e) {
            throw new LabException("cannot write the target's files: " + e.getMessage(), e);
        }
        RunningTarget running = launching.listening(command, environment, folder, port, setting);
        running.fact("command", String.join(" ", CommandArguments.redacted(command)));
        return running;
    }

    /** A file of the target: for whom the trial's folder is. */
    private static void write(Path file, String text, Path folder) throws IOException {
        Folders.makeFor(file);
        Folders.writePrivate(file, text);
        if (Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
            Files.setPosixFilePermissions(file, OPEN);
            for (Path at = file.getParent(); at != null && !at.equals(folder); at = at.getParent()) {
                Files.setPosixFilePermissions(at, OPEN_FOLDER);
            }
        }
    }

    private Map<String, Path> resolve(Map<String, String> wanted) throws LabException, InterruptedException {
        var files = new HashMap<String, Path>();
        for (var e : wanted.entrySet()) {
            files.put(e.getKey(), artifacts.file(e.getValue()));
        }
        return files;
    }
}
