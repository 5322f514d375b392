package dev.fettle.lab.machine;

import dev.fettle.load.HostPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;

/** Allows load only on this machine or on hosts that the user declared their own. */
public final class HostGuard {
    private HostGuard() {}

    /**
     * Resolves the host and port of a URL, and refuses other hosts.
     *
     * @throws LabException if the host is unknown, or neither loopback nor among {@code ownHosts}
     */
    public static InetSocketAddress check(URI url, Set<String> ownHosts) throws LabException {
        String host = url.getHost();
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        boolean secure = scheme.equals("https") || scheme.equals("wss");
        if (host == null || !(secure || scheme.equals("http") || scheme.equals("ws"))) {
            throw new LabException("'" + url + "' is no URL that can be loaded: http://HOST[:PORT]/PATH is wanted");
        }
        int port = url.getPort() >= 0 ? url.getPort() : secure ? 443 : 80;
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new LabException("unknown host '" + host + "'", e);
        }
        if (!HostPolicy.isLoopback(address) && !ownHosts.contains(host)) {
            throw new LabException(host + " (" + address.getHostAddress() + ") is not this machine; Fettle loads other"
                    + " hosts only when they are yours: if it is, say --own-host " + host);
        }
        return new InetSocketAddress(address, port);
    }
}
