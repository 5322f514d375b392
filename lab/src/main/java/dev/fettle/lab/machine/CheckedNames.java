package dev.fettle.lab.machine;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The names of hosts that were checked, each with the address that it had then. All of this process gets that address whenever it asks for
 * the name again: a client that connects by name, as TLS wants it, goes where the check was, whatever the name servers say meanwhile. The
 * JDK finds this class by its service file.
 */
public final class CheckedNames extends InetAddressResolverProvider {
    private static final Map<String, InetAddress> CHECKED = new ConcurrentHashMap<>();

    /**
     * The address of a host: of several, the first. Asked for again, it is the same, for all of this process.
     *
     * @throws UnknownHostException if it has none
     */
    public static InetAddress address(String host) throws UnknownHostException {
        InetAddress before = CHECKED.get(key(host));
        return before == null ? keep(host, InetAddress.getByName(host)) : before;
    }

    /** @return what the name has from now on: the first address that was kept for it */
    static InetAddress keep(String host, InetAddress address) {
        InetAddress other = CHECKED.putIfAbsent(key(host), address);
        return other == null ? address : other;
    }

    private static String key(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new Resolver(configuration.builtinResolver());
    }

    @Override
    public String name() {
        return "Fettle: hosts that were checked";
    }

    record Resolver(InetAddressResolver usual) implements InetAddressResolver {
        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            InetAddress checked = CHECKED.get(key(host));
            return checked == null ? usual.lookupByName(host, policy) : Stream.of(checked);
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            return usual.lookupByAddress(address);
        }
    }
}
