package dev.fettle.load;

import java.net.InetAddress;

/** Which hosts may be loaded without asking. The engine does not check this; its caller does. */
public final class HostPolicy {

    private HostPolicy() {}

    /**
     * Whether traffic to the address stays on this host: {@code 127.0.0.0/8}, {@code ::1}, or one of those as an
     * IPv4-mapped IPv6 address (which {@link InetAddress} converts to IPv4). The wildcard address is not loopback.
     */
    public static boolean isLoopback(InetAddress address) {
        return address.isLoopbackAddress();
    }
}
