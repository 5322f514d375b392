package dev.fettle.maven;

import java.io.File;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Finds the highest rate that meets an SLO. Calls fettle capacity with a plan or a URL. */
@Mojo(name = "capacity", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CapacityMojo extends FettleMojo {
    /** The plan. Default: fettle.yaml of the project, unless there is a URL. */
    @Parameter(property = "fettle.plan")
    @Nullable
    File plan;

    /** What is loaded, in place of a plan's target. */
    @Parameter(property = "fettle.url")
    @Nullable
    String url;

    /** What must hold: p99&lt;50ms,errors&lt;0.1%. Default: the plan's. */
    @Parameter(property = "fettle.slo")
    @Nullable
    String slo;

    /** The build fails if the capacity is lower: 2000/s. */
    @Parameter(property = "fettle.atLeast")
    @Nullable
    String atLeast;

    /** Time for the search: 2m. */
    @Parameter(property = "fettle.budget")
    @Nullable
    String budget;

    @Override
    Goal goal() {
        return Goal.CAPACITY;
    }

    @Override
    Arguments arguments() throws MojoExecutionException {
        File own = project.getBasedir().toPath().resolve("fettle.yaml").toFile();
        Object what = plan != null ? plan : url != null && !url.isBlank() ? url : own.isFile() ? own : null;
        if (what == null) {
            throw new MojoExecutionException(
                    "fettle capacity has neither plan nor URL: name one with <plan> or <url>, or write a fettle.yaml (fettle init)");
        }
        return new Arguments()
                .plain(what)
                .option("slo", slo)
                .option("at-least", atLeast)
                .option("budget", budget);
    }
}
