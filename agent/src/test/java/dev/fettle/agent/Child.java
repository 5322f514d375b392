package dev.fettle.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A JVM with {@link ServerMain} and the agent's jar; it ends with this one, whatever happens. */
final class Child implements AutoCloseable {
    static final Path THIS_JAVA = Path.of(System.getProperty("java.home"));

    final Process process;
    final BufferedReader output;
    final List<Integer> ports = new ArrayList<>();
    private final Path controlFile;

    private Child(Process process, Path controlFile) throws IOException {
        this.process = process;
        this.controlFile = controlFile;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = String.valueOf(output.readLine());
        if (!line.startsWith("ports ")) {
            throw new AssertionError("the server did not start: " + line);
        }
        Stream.of(line.substring("ports ".length()).split(" "))
                .filter(port -> !port.isEmpty())
                .map(Integer::valueOf)
                .forEach(ports::add);
    }

    /** Starts a kind of server; the agent writes its port and token to the file. Its temporary files lie beside its errors. */
    static Child start(Path java, String kind, Path controlFile, Path errors) throws IOException {
        Process process = new ProcessBuilder(
                        java.resolve("bin/java").toString(),
                        "-Xmx96m",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + errors.toAbsolutePath().getParent(), // it is killed, and deletes nothing
                        "-javaagent:" + Path.of("build/fettle-agent.jar").toAbsolutePath() + "=" + controlFile,
                        "-Djboss.threads.eqe.statistics.active-count=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerMain.class.getName(),
                        kind)
                .redirectError(errors.toFile())
                .start();
        return new Child(process, controlFile);
    }

    /** A JDK or JRE of a release, if the machine has one in a usual place. */
    static Optional<Path> java(int release) throws IOException {
        List<Path> homes = new ArrayList<>();
        for (Path place : List.of(THIS_JAVA.resolveSibling("."), Path.of("/usr/lib/jvm"))) {
            if (Files.isDirectory(place)) {
                try (Stream<Path> all = Files.list(place)) {
                    all.sorted().forEach(homes::add);
                }
            }
        }
        for (Path home : homes) {
            Path facts = home.resolve("release");
            if (Files.isExecutable(home.resolve("bin/java"))
                    && Files.isReadable(facts)
                    && Files.readString(facts).contains("JAVA_VERSION=\"" + release + ".")) {
                return Optional.of(home);
            }
        }
        return Optional.empty();
    }

    int controlPort() throws IOException {
        return Integer.parseInt(control()[0]);
    }

    /** The port and its token. */
    private String[] control() throws IOException {
        return Files.readString(controlFile).strip().split(" ");
    }

    String ask(String question) throws IOException {
        return ask(controlPort(), control()[1], question);
    }

    /** The answer; "null" if the connection is closed instead. */
    static String ask(int port, String token, String question) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write((token + "\n" + question + "\n").getBytes(StandardCharsets.UTF_8));
            InputStream in = socket.getInputStream();
            return String.valueOf(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine());
        } catch (SocketException e) {
            return "null"; // closed before all was read
        }
    }

    /** A field of a flat JSON object, as written; "missing" if there is none. */
    static String field(String json, String name) {
        Matcher match = Pattern.compile("\"" + Pattern.quote(name) + "\":(\"[^\"]*\"|[^,}]*)")
                .matcher(json);
        return match.find() ? match.group(1).replace("\"", "") : "missing";
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the JVM did not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
    }
}
