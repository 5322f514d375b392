package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name is resolved once: no name server is asked for these. */
@Timeout(60)
class CheckedNamesTest {
    private static InetAddress here(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    /** Name servers that say something else each time. */
    private static final class Moving implements InetAddressResolver {
        private int asked;

        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            asked++;
            return Stream.of(here(100 + asked));
        }

        @Override
        public String lookupByAddress(byte[] address) {
            return "moving.invalid";
        }
    }

    private static InetAddress asked(InetAddressResolver resolver, String host) throws UnknownHostException {
        return resolver.lookupByName(host, InetAddressResolver.LookupPolicy.of(InetAddressResolver.LookupPolicy.IPV4))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatWasCheckedIsAskedForNoMore() throws Exception {
        var moving = new Moving();
        var resolver = new CheckedNames.Resolver(moving);
        assertThat(asked(resolver, "other.invalid")).isEqualTo(here(101));
        assertThat(asked(resolver, "other.invalid")).isEqualTo(here(102));
        CheckedNames.keep("shop-1.invalid", here(5));
        CheckedNames.keep("Shop-1.invalid", here(6));
        assertThat(asked(resolver, "shop-1.invalid")).isEqualTo(here(5));
        assertThat(asked(resolver, "SHOP-1.invalid")).isEqualTo(here(5));
        assertThat(CheckedNames.address("shop-1.INVALID")).isEqualTo(here(5));
        assertThat(moving.asked).isEqualTo(2);
    }

    @Test
    void theWholeProcessGetsTheAddressThatWasChecked() throws Exception {
        assertThat(ServiceLoader.load(InetAddressResolverProvider.class))
                .hasAtLeastOneElementOfType(CheckedNames.class);
        CheckedNames.keep("shop-2.invalid", here(1));
        assertThat(InetAddress.getByName("shop-2.invalid")).isEqualTo(here(1));
        assertThat(HostGuard.check(URI.create("https://shop-2.invalid/"), Set.of())
                        .getAddress())
                .isEqualTo(here(1));
        assertThat(HostGuard.isHere(URI.create("http://shop-2.invalid/"))).isTrue();
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> HostGuard.check(URI.create("http://nobody.invalid/"), Set.of()));
    }

    /** As the check before a load over TLS does, which needs the name for the certificate. */
    @Test
    void aClientThatConnectsByNameGoesThere() throws Exception {
        CheckedNames.keep("shop-3.invalid", here(1));
        HttpServer server = HttpServer.create(new InetSocketAddress(here(1), 0), 0);
        server.createContext("/", e -> {
            e.sendResponseHeaders(204, -1);
            e.close();
        });
        server.start();
        try (var client = DirectHttp.client(Duration.ofSeconds(5)).build()) {
            var url = URI.create("http://shop-3.invalid:" + server.getAddress().getPort() + "/");
            assertThat(client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(204);
        } finally {
            server.stop(0);
        }
    }
}
