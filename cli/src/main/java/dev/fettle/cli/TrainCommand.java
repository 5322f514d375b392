package dev.fettle.cli;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.cli.terminal.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The run that the JVM records for its ahead-of-time cache (JEP 483, 514, 515): short benches, closed and open, of a
 * server in this same process. So the cache has the classes needed up to the first request, and profiles of the code
 * for each request, which is then compiled sooner. Not for users.
 */
@Command(name = "train", hidden = true, description = "Records an ahead-of-time cache; used by the launcher.")
final class TrainCommand implements Callable<Integer> {
    private static final byte[] PAGE = new byte[512];

    @Override
    public Integer call() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, PAGE.length);
            try (var body = exchange.getResponseBody()) {
                body.write(PAGE);
            }
        });
        server.start();
        try {
            CommandLine line = Main.commandLine();
            line.setOut(new PrintWriter(Writer.nullWriter()));
            line.setErr(new PrintWriter(Writer.nullWriter()));
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
            boolean known = line.execute("bench", url, "-c", "8", "-d", "1s") != ExitCodes.USAGE
                    && line.execute("bench", url, "-c", "64", "-d", "2s", "--rate", "10000/s", "--json")
                            != ExitCodes.USAGE;
            return known ? ExitCodes.OK : ExitCodes.FAILED;
        } finally {
            server.stop(0);
        }
    }
}
