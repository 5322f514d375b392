import com.sun.tools.javac.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.net.StandardProtocolFamily;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One compiler for all modules of a build. A fresh JVM for each would load and warm up javac, Error Prone and NullAway thirty times,
 * which takes more than the compiling. The first call starts the server; it ends with Maven, or after ten minutes without work. It listens
 * on a socket in a folder that only this user can enter. If anything fails, the caller compiles by itself (exit code {@value #ALONE}).
 */
final class Javac {
    private static final int ALONE = 99;
    private static final long IDLE_MILLIS = 600_000;

    private Javac() {}

    /** @param args folder of the server, and what javac is given; or {@code --serve}, the socket, and the process to end with */
    public static void main(String[] args) throws Exception {
        if (args[0].equals("--serve")) {
            serve(UnixDomainSocketAddress.of(args[1]), Long.parseLong(args[2]));
            System.exit(0);
        }
        int code = ALONE;
        try {
            code = ask(Path.of(args[0]), Arrays.asList(args).subList(1, args.length));
        } catch (IOException | UnsupportedOperationException e) {
            System.err.println("compiled without the server: " + e);
        }
        System.exit(code);
    }

    /** Maven's process: the nearest of those that called, and their callers, that is a JVM. */
    private static long maven() {
        return Stream.iterate(ProcessHandle.current().parent(), p -> p.isPresent(), p -> p.get().parent())
                .map(p -> p.orElseThrow())
                .filter(p -> p.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElseThrow(() -> new UnsupportedOperationException("not called by Maven"))
                .pid();
    }

    private static int ask(Path folder, List<String> arguments) throws IOException, InterruptedException {
        long maven = maven();
        var address = UnixDomainSocketAddress.of(folder.resolve(maven + ".socket"));
        try (SocketChannel server = connected(folder, address, maven)) {
            // javac's own options; those of its JVM are the server's
            var own = arguments.stream().filter(a -> !a.startsWith("-J")).toList();
            server.write(StandardCharsets.UTF_8.encode(String.join("\0", own)));
            server.shutdownOutput();
            String said = new String(Channels.newInputStream(server).readAllBytes(), StandardCharsets.UTF_8);
            int end = said.lastIndexOf('\0');
            if (end < 0) {
                throw new IOException("the compiler's server ended");
            }
            System.out.print(said.substring(0, end));
            return Integer.parseInt(said.substring(end + 1));
        }
    }

    private static SocketChannel connected(Path folder, UnixDomainSocketAddress address, long maven)
            throws IOException, InterruptedException {
        try (var lock = FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock();
            try {
                return SocketChannel.open(address);
            } catch (IOException none) {
                Files.deleteIfExists(address.getPath());
            }
            var command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xss2m"));
            for (String p : List.of("api", "code", "comp", "file", "main", "model", "parser", "processing", "tree", "util")) {
                command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + p + "=ALL-UNNAMED");
                command.add("--add-opens=jdk.compiler/com.sun.tools.javac." + p + "=ALL-UNNAMED");
            }
            command.addAll(List.of(
                    "-cp", folder.toString(), Javac.class.getName(), "--serve", address.getPath().toString(), "" + maven));
            Process server = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            while (server.isAlive()) {
                try {
                    return SocketChannel.open(address);
                } catch (IOException notYet) {
                    Thread.sleep(20);
                }
            }
            throw new IOException("the compiler's server did not start");
        }
    }

    private static void serve(UnixDomainSocketAddress address, long maven) throws IOException {
        ProcessHandle.of(maven).ifPresent(p -> p.onExit().thenRun(() -> end(address)));
        var busy = new AtomicInteger();
        var lastDone = new long[] {System.nanoTime()};
        Thread.ofPlatform().daemon().start(() -> {
            for (; ; ) {
                try {
                    Thread.sleep(1_000);
                } catch (InterruptedException e) {
                    return;
                }
                synchronized (busy) {
                    if (busy.get() == 0 && System.nanoTime() - lastDone[0] > IDLE_MILLIS * 1_000_000) {
                        end(address);
                    }
                }
            }
        });
        try (var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var threads = Executors.newCachedThreadPool()) {
            listening.bind(address);
            for (; ; ) {
                SocketChannel caller = listening.accept();
                synchronized (busy) {
                    busy.incrementAndGet();
                }
                threads.execute(() -> {
                    try (caller) {
                        answer(caller);
                    } catch (IOException e) {
                        e.printStackTrace(); // the caller is gone
                    } finally {
                        synchronized (busy) {
                            busy.decrementAndGet();
                            lastDone[0] = System.nanoTime();
                        }
                    }
                });
            }
        }
    }

    private static void end(UnixDomainSocketAddress address) {
        try {
            Files.deleteIfExists(address.getPath());
        } catch (IOException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(0);
    }

    private static void answer(SocketChannel caller) throws IOException {
        String asked = new String(Channels.newInputStream(caller).readAllBytes(), StandardCharsets.UTF_8);
        var said = new StringWriter();
        int code = Main.compile(
                Stream.concat(Stream.of("-XDprocloader=" + Plugins.class.getName()), Stream.of(asked.split("\0")))
                        .toArray(String[]::new),
                new PrintWriter(said, true));
        var answer = StandardCharsets.UTF_8.encode(said + "\0" + code);
        while (answer.hasRemaining()) {
            caller.write(answer);
        }
    }

    /** Loads javac's plugins once for all modules: loaded for each, they would start cold each time. */
    public static final class Plugins extends ClassLoader {
        private static final Map<String, ClassLoader> LOADED = new ConcurrentHashMap<>();

        public Plugins(URL[] from, ClassLoader parent) {
            super(LOADED.computeIfAbsent(Arrays.toString(from), f -> new URLClassLoader(from, parent)));
        }
    }
}
