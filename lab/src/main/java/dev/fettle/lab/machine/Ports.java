package dev.fettle.lab.machine;

import dev.fettle.model.target.Hooks;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Free ports of 127.0.0.1 by name, the values of {@code {port:NAME}}: one port per name. */
public final class Ports {
    private static final String PLACEHOLDER = "port:";

    /** A placeholder; the escaped form {@code {{port:NAME}}} is not one. */
    private static final Pattern PLACE = Pattern.compile("(?<!\\{)\\{port:([A-Za-z][A-Za-z0-9_-]*)}");

    /** Services with a port of their own are mostly below. */
    private static final int LOWEST = 20_000;

    private static final int TRIES = 100;
    private static final int REMEMBERED = 1000;

    /** What was given by this JVM: nobody may listen there yet. */
    private static final LinkedHashSet<Integer> GIVEN = new LinkedHashSet<>();

    private final Map<String, Integer> ports;

    public Ports() {
        this.ports = new HashMap<>();
    }

    /** Whether a text has a {@code {port:NAME}}. */
    public static boolean isPlace(String text) {
        return PLACE.matcher(text).find();
    }

    /** Starts from the ports of others. */
    public Ports(Ports others) {
        this.ports = new HashMap<>(others.ports);
    }

    /** These ports, by name. */
    public Ports(Map<String, Integer> ports) {
        this.ports = new HashMap<>(ports);
    }

    /** The ports by name. */
    public Map<String, Integer> byName() {
        return Map.copyOf(ports);
    }

    /** Assigns a port to each name without one. */
    public void reserve(Collection<String> names) throws LabException {
        for (String name : names) {
            while (!ports.containsKey(name)) {
                int port = freePort();
                if (!ports.containsValue(port)) {
                    ports.put(name, port);
                }
            }
        }
    }

    /** The value of the placeholder {@code port:NAME}. */
    public Optional<String> value(String placeholder) {
        return placeholder.startsWith(PLACEHOLDER)
                ? Optional.ofNullable(ports.get(placeholder.substring(PLACEHOLDER.length())))
                        .map(String::valueOf)
                : Optional.empty();
    }

    /** Fills in the ports of a text. */
    public String fill(String text) throws LabException {
        reserve(Hooks.ports(text));
        return PLACE.matcher(text).replaceAll(m -> Matcher.quoteReplacement(String.valueOf(ports.get(m.group(1)))));
    }

    /**
     * A free port, where there is room below those that the kernel gives to clients: one of theirs may be taken in the seconds until
     * the server that it is for is up. No port is given twice, unless many others were given since.
     */
    public static int freePort() throws LabException {
        int end = clientsFrom(new Proc());
        for (int i = 0; i < TRIES && LOWEST < end; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
            if (isFree(port) && give(port)) {
                return port;
            }
        }
        for (int i = 0; i < TRIES; i++) {
            int port = anyPort();
            if (give(port)) {
                return port;
            }
        }
        return anyPort();
    }

    /** The lowest port that a client may get. */
    static int clientsFrom(Proc proc) {
        return proc.sysctl("net.ipv4.ip_local_port_range")
                .map(r -> r.split("\\s+")[0])
                .filter(p -> p.matches("[0-9]{1,5}"))
                .map(Integer::parseInt)
                .orElse(0);
    }

    private static boolean give(int port) {
        synchronized (GIVEN) {
            if (!GIVEN.add(port)) {
                return false;
            }
            if (GIVEN.size() > REMEMBERED) {
                GIVEN.removeFirst();
            }
            return true;
        }
    }

    /** Whether no socket has it, on any address. Nothing can connect meanwhile. */
    static boolean isFree(int port) {
        try (var socket = new Socket()) {
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int anyPort() throws LabException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new LabException("no free port on 127.0.0.1: " + e.getMessage(), e);
        }
    }
}
