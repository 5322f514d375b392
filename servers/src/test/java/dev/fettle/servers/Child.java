package dev.fettle.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A child JVM with one of the module's main classes; it ends with this one, whatever happens. */
final class Child implements AutoCloseable {
    final Process process;
    final String firstLine;

    private final Path control;

    private Child(Process process, String firstLine, Path control) {
        this.process = process;
        this.firstLine = firstLine;
        this.control = control;
    }

    static Child start(Class<?> main, String... args) throws IOException {
        Path control = Files.createTempDirectory("fettle-control").resolve("control");
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "stop.on.eof=true"));
        if (main == Main.class) {
            command.add("control=" + control);
        }
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        return new Child(process, String.valueOf(line), control);
    }

    int number(String field) {
        Matcher match = Pattern.compile("\"" + field + "\":(\\d+)").matcher(firstLine);
        if (!match.find()) {
            throw new AssertionError("no " + field + " in " + firstLine);
        }
        return Integer.parseInt(match.group(1));
    }

    int controlPort() throws IOException {
        return Integer.parseInt(Files.readString(control).strip().split(" ")[0]);
    }

    String token() throws IOException {
        return Files.readString(control).strip().split(" ")[1];
    }

    String control(String command) throws IOException {
        return control(token() + "\n" + command + "\n", controlPort());
    }

    /** The first line of what is answered to what is sent; null if the connection is closed instead. */
    private static @Nullable String control(String sent, int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port);
                PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            out.print(sent);
            out.flush();
            return in.readLine();
        }
    }

    /** What another program gets that sends this; null if the connection is closed without an answer. */
    @Nullable
    String stranger(String sent) throws IOException {
        try {
            return control(sent, controlPort());
        } catch (SocketException e) {
            return null; // closed with something unread
        }
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the child did not end: " + firstLine);
        }
        return process.exitValue();
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
        Files.deleteIfExists(control);
        Files.deleteIfExists(control.getParent());
    }
}
