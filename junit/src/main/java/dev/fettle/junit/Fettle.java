package dev.fettle.junit;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where a load test begins.
 *
 * <pre>{@code
 * @SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
 * class LoginLoadTest {
 *     @LocalServerPort int port;
 *
 *     @Test
 *     void staysQuick() {
 *         Fettle.bench("http://127.0.0.1:" + port + "/login").connections(50).slo("p99<50ms,errors<0.1%").run();
 *     }
 * }
 * }</pre>
 */
public final class Fettle {
    private Fettle() {}

    /**
     * A load on a server that runs, in this JVM or another.
     *
     * @param url {@code http[s]://HOST[:PORT]/PATH} or {@code ws[s]://…} of this machine
     */
    public static Bench bench(String url) {
        if (Objects.requireNonNull(url, "url").startsWith("-")) {
            throw new IllegalArgumentException("no URL: " + url);
        }
        return Bench.of(url);
    }

    /** A load on a server that runs, in this JVM or another. */
    public static Bench bench(URI url) {
        return bench(url.toString());
    }

    /**
     * A plan, whose target Fettle starts itself, on CPUs of its own where there are enough.
     *
     * @param plan a YAML file; a relative path starts at the folder in which the tests run
     * @throws FettleException if it is not there
     */
    public static PlanRun plan(Path plan) {
        if (!Files.isRegularFile(plan)) {
            throw new FettleException("there is no plan " + plan.toAbsolutePath());
        }
        return PlanRun.of(plan.toAbsolutePath());
    }

    /** As {@link #plan(Path)}. */
    public static PlanRun plan(String plan) {
        return plan(Path.of(plan));
    }
}
