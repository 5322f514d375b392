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

/** Free ports of 127.0.0.1 by name, what {@code {port:NAME}} stands for: one name, one port. */
public final class Ports {
    private static final String PLACEHOLDER = "port:";

    /** A place to fill; what stands for itself, {@code {{port:NAME}}}, is none. */
    private static final Pattern PLACE = Pattern.compile("(?<!\\{)\\{port:([A-Za-z][A-Za-z0-9_-]*)}");

    private final Map<String, Integer> ports;

    /** None yet. */
    public Ports() {
        this.ports = new HashMap<>();
    }

    /** Those that others have, and more to come. */
    public Ports(Ports others) {
        this.ports = new HashMap<>(others.ports);
    }

    /** Finds a port for each name that has none yet. */
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

    /** A text with its ports filled in; all else stays. */
    public String fill(String text) throws LabException {
        reserve(Hooks.ports(text));
        return PLACE.matcher(text).replaceAll(m -> Matcher.quoteReplacement(String.valueOf(ports.get(m.group(1)))));
    }

    /** A port that nothing listens on. */
    public static int freePort() throws LabException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new LabException("no free port on 127.0.0.1: " + e.getMessage(), e);
        }
    }
}
