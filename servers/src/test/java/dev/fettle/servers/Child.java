package dev.fettle.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A child JVM with one of the module's main classes; it ends with this one, whatever happens. */
final class Child implements AutoCloseable {
    final Process process;
    final String firstLine;

    private Child(Process process, String firstLine) {
        this.process = process;
        this.firstLine = firstLine;
    }

    static Child start(Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "stop.on.eof=true"));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        return new Child(process, String.valueOf(line));
    }

    int number(String field) {
        Matcher match = Pattern.compile("\"" + field + "\":(\\d+)").matcher(firstLine);
        if (!match.find()) {
            throw new AssertionError("no " + field + " in " + firstLine);
        }
        return Integer.parseInt(match.group(1));
    }

    String control(String command) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", number("controlPort"));
                PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            out.print(command + "\n");
            out.flush();
            return in.readLine();
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
    }
}
