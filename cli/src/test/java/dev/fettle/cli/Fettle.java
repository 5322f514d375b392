package dev.fettle.cli;

import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The real command in a process of its own, as a user runs it. */
final class Fettle {
    private final Path folder;
    private final List<String> before;

    /** @param before what starts it: {@code taskset -c 0} */
    Fettle(Path folder, String... before) {
        this.folder = folder;
        this.before = List.of(before);
    }

    /** One that has a CPU of its own, where there are two: then another beside it, on the other one, does not disturb it. */
    static Fettle onOneCpu(Path folder, boolean first) {
        TreeSet<Integer> cpus = new Proc().allowedCpus("self");
        return new Fettle(folder, "taskset", "-c", Integer.toString(first ? cpus.first() : cpus.last()));
    }

    record Ended(int code, String out, String err) {}

    Process start(String... arguments) throws IOException {
        return process(arguments)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    /** The process, with pipes for its streams. */
    ProcessBuilder process(String... arguments) {
        ProcessBuilder java = java(Stream.concat(Stream.of("dev.fettle.cli.Main"), Stream.of(arguments))
                .toArray(String[]::new));
        java.command().addAll(0, before);
        return java.directory(folder.toFile());
    }

    /** A JVM with the classes of this one; it starts quickly. */
    static ProcessBuilder java(String... mainAndArguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dfettle.home=" + home(),
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(mainAndArguments));
        return new ProcessBuilder(command);
    }

    Ended run(String... arguments) throws IOException, InterruptedException {
        Process p = start(arguments);
        if (!p.waitFor(8, TimeUnit.MINUTES)) {
            p.destroyForcibly();
            throw new AssertionError("did not end: fettle " + String.join(" ", arguments) + "\n" + out() + err());
        }
        return new Ended(p.exitValue(), out(), err());
    }

    /** The command in this JVM, for what is not of its process: it takes no JVM of its own. */
    Ended here(String... arguments) {
        return here(Stream.concat(
                        Stream.of(arguments),
                        Stream.of("--dir", folder.resolve(".fettle").toString()))
                .toList());
    }

    /** The same with these arguments alone. */
    static Ended here(List<String> arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    String out() throws IOException {
        return Files.readString(folder.resolve("out"));
    }

    String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** Fettle's own folder: the nearest one above that has the launcher. */
    static Path home() {
        Path p = Path.of("").toAbsolutePath();
        while (!Files.exists(p.resolve("fettle")) && p.getParent() != null) {
            p = p.getParent();
        }
        return p;
    }

    /** Processes of this user whose command line names a folder. */
    static List<String> processesNaming(Path folder) {
        return ProcessHandle.allProcesses()
                .map(p -> p.pid() + " " + p.info().commandLine().orElse(""))
                .filter(c -> c.contains(folder.toString()))
                .toList();
    }
}
