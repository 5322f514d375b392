package ports;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Shows which ships call at a port, as the receivers along the coast say. */
public final class PortCalls {

    private final ReceiverClient receivers;

    PortCalls(ReceiverClient receivers) {
        this.receivers = receivers;
    }

    String calls(int berth) {
        List<String> ships = receivers.ships(berth);
        return "berth " + berth + ": " + (ships.isEmpty() ? "not known" : String.join(", ", ships));
    }

    /** Asks one receiver after the other until one answers. */
    static final class ReceiverClient {
        private final List<InetSocketAddress> addresses;
        private final int patience;
        private final AtomicInteger turn = new AtomicInteger();

        ReceiverClient(List<InetSocketAddress> addresses, int patience) {
            this.addresses = addresses;
            this.patience = patience;
        }

        List<String> ships(int berth) {
            int first = Math.abs(turn.getAndIncrement());
            for (int i = 0; i < addresses.size(); i++) {
                try {
                    return ask(addresses.get((first + i) % addresses.size()), berth);
                } catch (IOException e) {
                    continue; // the next one
                }
            }
            return List.of();
        }

        private List<String> ask(InetSocketAddress address, int berth) throws IOException {
            try (Socket socket = new Socket()) {
                socket.connect(address, patience);
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(2000);
                socket.getOutputStream().write((berth + "\n").getBytes(StandardCharsets.US_ASCII));
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                List<String> ships = new ArrayList<>();
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    ships.add(line);
                }
                return ships;
            }
        }
    }

    /** A receiver that answers. */
    private static InetSocketAddress receiver() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        for (int i = 0; i < 24; i++) {
            Thread.ofPlatform().name("receiver-" + i).daemon().start(() -> {
                while (true) {
                    try (Socket peer = server.accept()) {
                        String berth = new BufferedReader(new InputStreamReader(peer.getInputStream())).readLine();
                        String ships = "MV " + berth + "-A\nMV " + berth + "-B\n";
                        peer.getOutputStream().write(ships.getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                        System.err.println("receiver: " + e.getMessage());
                    }
                }
            });
        }
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** A receiver behind a line that is cut: what is sent to it gets lost. */
    private static InetSocketAddress cutOff(List<Object> kept) throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        kept.add(server);
        for (int i = 0; i < 4; i++) {
            Socket filler = new Socket();
            try {
                filler.connect(server.getLocalSocketAddress(), 200);
            } catch (IOException e) {
                filler.close();
            }
            kept.add(filler);
        }
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        List<Object> kept = new ArrayList<>();
        List<InetSocketAddress> addresses = List.of(receiver(), receiver(), receiver(), cutOff(kept));
        PortCalls ports = new PortCalls(new ReceiverClient(addresses, fixed ? 60 : 0));

        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("ports").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "40");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "calls", new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getWriter()
                        .println(ports.calls(ThreadLocalRandom.current().nextInt(40)));
            }
        });
        context.addServletMappingDecoded("/", "calls");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
        System.out.println(kept.size());
    }
}
