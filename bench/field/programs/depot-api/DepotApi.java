package depot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/** A small HTTP server of our own for the depot's handheld scanners. */
public final class DepotApi {

    private final ServerSocket server = new ServerSocket();
    private final Map<Integer, String> places = new TreeMap<>();
    private final boolean sendAtOnce;

    DepotApi(int port, boolean sendAtOnce) throws IOException {
        this.sendAtOnce = sendAtOnce;
        for (int i = 0; i < 5000; i++) {
            places.put(i, "aisle " + i / 100 + " shelf " + i % 100 / 10 + " box " + i % 10);
        }
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress("127.0.0.1", port), 256);
    }

    void serve() throws IOException {
        while (true) {
            Socket socket = server.accept();
            socket.setSoTimeout(30_000);
            if (sendAtOnce) {
                socket.setTcpNoDelay(true);
            }
            Thread.ofVirtual().name("scanner").start(() -> converse(socket));
        }
    }

    private void converse(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            String line;
            while ((line = in.readLine()) != null) {
                String path = line.split(" ")[1];
                boolean close = false;
                String header;
                while ((header = in.readLine()) != null && !header.isEmpty()) {
                    close |= header.equalsIgnoreCase("connection: close");
                }
                answer(path, close, out);
                if (close) {
                    return;
                }
            }
        } catch (IOException e) {
            // the scanner went out of reach
        }
    }

    private void answer(String path, boolean close, OutputStream out) throws IOException {
        String body;
        int status = 200;
        if (path.equals("/")) {
            body = places.get(ThreadLocalRandom.current().nextInt(places.size()));
        } else {
            String place = places.get(number(path));
            status = place == null ? 404 : 200;
            body = place == null ? "no such item" : place;
        }
        byte[] bytes = (body + "\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + (status == 200 ? " OK" : " Not Found") + "\r\n"
                + "Content-Type: text/plain\r\n"
                + "Content-Length: " + bytes.length + "\r\n"
                + (close ? "Connection: close\r\n" : "")
                + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.flush();
    }

    private static int number(String path) {
        try {
            return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        DepotApi api = new DepotApi(Integer.parseInt(args[0]), fixed);
        System.out.println("ready");
        api.serve();
    }
}
