package dev.fettle.maven;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Loads a URL that is up, as between pre- and post-integration-test. Calls fettle bench. */
@Mojo(name = "bench", defaultPhase = LifecyclePhase.INTEGRATION_TEST, threadSafe = true)
public final class BenchMojo extends FettleMojo {
    /** What is loaded. */
    @Parameter(property = "fettle.url")
    @Nullable
    String url;

    /** Clients that each wait for their answer. */
    @Parameter(property = "fettle.connections")
    @Nullable
    String connections;

    /** How long: 10s. */
    @Parameter(property = "fettle.duration")
    @Nullable
    String duration;

    /** Sends at this rate whatever the server does: 1000/s. */
    @Parameter(property = "fettle.rate")
    @Nullable
    String rate;

    /** Conditions on which the build fails: p99&gt;50ms,errors&gt;0.1%. */
    @Parameter(property = "fettle.failIf")
    @Nullable
    String failIf;

    @Override
    Goal goal() {
        return Goal.BENCH;
    }

    @Override
    Arguments arguments() throws MojoExecutionException {
        if (url == null || url.isBlank()) {
            throw new MojoExecutionException("fettle bench has no URL: name it with <url> or -Dfettle.url");
        }
        return new Arguments()
                .plain(url)
                .option("connections", connections)
                .option("duration", duration)
                .option("rate", rate)
                .option("fail-if", failIf);
    }
}
