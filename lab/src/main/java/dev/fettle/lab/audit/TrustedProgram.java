package dev.fettle.lab.audit;

import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A program that an audit may start. There are three sources: an option of the command line, this user's {@code PATH} and usual
 * places of JDKs, and the JDK that runs Fettle. Nothing that is audited is one, nor anything that it names: a folder, its files, its links and
 * the properties of a running JVM may all be somebody else's.
 */
final class TrustedProgram {
    private final Path file;

    private TrustedProgram(Path file) {
        this.file = file;
    }

    /**
     * The {@code java} of a JDK.
     *
     * @param jdk what {@code --jdk} says; empty: the one that runs Fettle
     * @throws LabException if there is none
     */
    static TrustedProgram java(Jdks jdks, Optional<String> jdk) throws LabException {
        return new TrustedProgram(jdks.java(jdk));
    }

    /**
     * The {@code java} that a process of this user runs, which only this user or root can have written.
     *
     * @throws LabException if somebody else can change it, or it is not a JDK's; the message says why
     */
    static TrustedProgram ofProcess(Jdks jdks, long pid) throws LabException {
        return new TrustedProgram(jdks.javaOf(pid));
    }

    /** A program on the {@code PATH}, of which relative folders are left out; empty if there is none. */
    static Optional<TrustedProgram> onPath(String name, String path) {
        for (String folder : path.split(":")) {
            Path file = Path.of(folder, name);
            if (file.isAbsolute() && Files.isRegularFile(file) && Files.isExecutable(file)) {
                return Optional.of(new TrustedProgram(file));
            }
        }
        return Optional.empty();
    }

    Path file() {
        return file;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
