package dev.fettle.lab.machine;

import dev.fettle.load.HostPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
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
        String scheme = scheme(url);
        if (host == null || !(isSecure(scheme) || scheme.equals("http") || scheme.equals("ws"))) {
            throw new LabException("'" + url + "' is no URL that can be loaded: http://HOST[:PORT]/PATH is wanted");
        }
        InetAddress address = resolve(host);
        if (!HostPolicy.isLoopback(address) && !ownHosts.contains(host)) {
            throw new LabException(host + " (" + address.getHostAddress() + ") is not a loopback address; Fettle loads"
                    + " others only when they are yours: if it is, say --own-host " + host);
        }
        return new InetSocketAddress(address, port(url));
    }

    /** The port of a URL, or else its scheme's. */
    public static int port(URI url) {
        int usual = isSecure(scheme(url)) ? 443 : 80;
        return url.getPort() >= 0 ? url.getPort() : usual;
    }

    /**
     * Whether a URL's host is this machine, by any of its addresses.
     *
     * @throws LabException if the host is unknown
     */
    public static boolean isHere(URI url) throws LabException {
        InetAddress address = resolve(url.getHost());
        try {
            return address.isAnyLocalAddress()
                    || HostPolicy.isLoopback(address)
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            throw new LabException("cannot read the addresses of this machine: " + e.getMessage(), e);
        }
    }

    private static InetAddress resolve(String host) throws LabException {
        try {
            return CheckedNames.address(host);
        } catch (UnknownHostException e) {
            throw new LabException("unknown host '" + host + "'", e);
        }
    }

    private static String scheme(URI url) {
        return String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    }

    private static boolean isSecure(String scheme) {
        return scheme.equals("https") || scheme.equals("wss");
    }
}
