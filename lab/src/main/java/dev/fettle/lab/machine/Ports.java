package dev.fettle.lab.machine;

import dev.fettle.model.target.Hooks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Free ports of 127.0.0.1 by name, the values of {@code {port:NAME}}: one port per name. */
public final class Ports {
    private static final String PLACEHOLDER = "port:";

    /** A placeholder; the escaped form {@code {{port:NAME}}} is not one. */
    private static final Pattern PLACE = Pattern.compile("(?<!\\{)\\{port:([A-Za-z][A-Za-z0-9_-]*)}");

    private final Map<String, Integer> ports;

    public Ports() {
        this.ports = new HashMap<>();
    }

    /** Starts from the ports of others. */
    public Ports(Ports others) {
        this.ports = new HashMap<>(others.ports);
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

    /** A free port. */
    public static int freePort() throws LabException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new LabException("no free port on 127.0.0.1: " + e.getMessage(), e);
        }
    }
}
