package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.hooks.HookRuns;
import dev.fettle.lab.hooks.PlanHooks;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** What a hook is waited for at is resolved as a target's host is: once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHooksHostIsResolvedOnce(boolean http, @TempDir Path folder) throws Exception {
        String name = http ? "localhost" : InetAddress.getLocalHost().getHostName();
        Hook.Ready ready = http ? new Hook.Ready.Http("http://" + name + ":9/", 200) : new Hook.Ready.Tcp(name + ":9");
        var hook = new Hook(
                List.of(List.of("sleep"), List.of("100")),
                Map.of(),
                true,
                Optional.of(ready),
                Duration.ofMillis(100),
                0,
                Hook.Scope.RUN);
        var moving = new Moving();
        try (var hooks =
                new PlanHooks(Fixtures.unloaded(folder), new Hooks(List.of(hook), List.of()), folder, n -> {})) {
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> hooks.around(folder, hooks.ports(), Setting.DEFAULT, new HookRuns()));
        }
        assertThat(asked(new CheckedNames.Resolver(moving), name)).isNotEqualTo(here(101));
        assertThat(moving.asked).isZero();
    }
}
