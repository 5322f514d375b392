package dev.fettle.maven;

import java.io.File;
import java.nio.file.Path;
import java.util.Set;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Is what was built slower than the base? Calls fettle gate with the project's artifact as the head. */
@Mojo(name = "gate", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class GateMojo extends FettleMojo {
    /** What the head is compared with: a file, or coordinates GROUP:ARTIFACT[:EXTENSION[:CLASSIFIER]]:VERSION. */
    @Parameter(property = "fettle.base")
    @Nullable
    String base;

    /** The head. Default: the project's artifact. */
    @Parameter(property = "fettle.head")
    @Nullable
    File head;

    /** Instead of base and head: builds both from git, the base where this branch was left, such as origin/main. */
    @Parameter(property = "fettle.baseRef")
    @Nullable
    String baseRef;

    /** With baseRef: how each revision is built. No shell is used. */
    @Parameter(property = "fettle.build", defaultValue = "mvn -q -DskipTests package")
    @Nullable
    String build;

    /** With baseRef: what the build makes, from the repository's root; * stands for anything in a name. Default: as in this build, any version. */
    @Parameter(property = "fettle.artifact")
    @Nullable
    String artifact;

    /** The plan. Default: fettle.yaml of the project, if it is there; else a Spring Boot jar and the path and clients below. */
    @Parameter(property = "fettle.plan")
    @Nullable
    File plan;

    /** Without a plan: what is requested. */
    @Parameter(property = "fettle.path")
    @Nullable
    String path;

    /** Without a plan: clients that each wait for their answer. */
    @Parameter(property = "fettle.connections")
    @Nullable
    String connections;

    /** How long it may take: 15m. */
    @Parameter(property = "fettle.time")
    @Nullable
    String time;

    /** The loss that is allowed: 3%, or p99=20%,memory=5%. */
    @Parameter(property = "fettle.allow")
    @Nullable
    String allow;

    /** What "can't tell" is to the build: fails, warns or passes. Default: it fails and says so. */
    @Parameter(property = "fettle.cantTell", defaultValue = "says")
    @Nullable
    String cantTell;

    @Override
    Goal goal() {
        return Goal.GATE;
    }

    @Override
    String nothingToDo() {
        return project.getPackaging().equals("pom") ? "the project has no artifact" : "";
    }

    @Override
    Arguments arguments() throws MojoExecutionException {
        File own = project.getBasedir().toPath().resolve("fettle.yaml").toFile();
        File used = plan != null ? plan : own.isFile() ? own : null;
        var all = new Arguments();
        all.plain(used);
        if (baseRef != null) {
            all.option("base-ref", baseRef).option("build", build).option("artifact", built());
        } else if (base == null) {
            throw new MojoExecutionException(
                    "fettle gate has no base: name a file or coordinates with <base> or -Dfettle.base, or a"
                            + " branch with <baseRef> or -Dfettle.baseRef");
        } else if (used == null) {
            all.plain(base()).plain(head());
        } else {
            all.option("base", base()).option("head", head());
        }
        return all.option("path", path)
                .option("connections", connections)
                .option("time", time)
                .option("allow", allow)
                .option("cant-tell", cantTell);
    }

    /** A file if there is one, else the artifact of coordinates. */
    private File base() throws MojoExecutionException {
        String named = String.valueOf(base).strip();
        File file = project.getBasedir().toPath().resolve(named).toFile();
        if (file.exists() || !named.contains(":") || named.contains("/")) {
            return file; // the command says what is wrong with it
        }
        return resolved(named);
    }

    private File head() throws MojoExecutionException {
        if (head != null) {
            return head;
        }
        File packed = project.getArtifact().getFile();
        if (packed == null || !packed.isFile()) {
            packed = new File(
                    project.getBuild().getDirectory(), project.getBuild().getFinalName() + "." + extension());
        }
        if (!packed.isFile()) {
            throw new MojoExecutionException("there is no " + packed
                    + ": pack it first, with mvn package fettle:gate, or name the" + " head with <head>");
        }
        return packed;
    }

    private String extension() {
        return Set.of("war", "jar").contains(project.getPackaging()) ? project.getPackaging() : "jar";
    }

    private String built() throws MojoExecutionException {
        if (artifact != null) {
            return artifact;
        }
        String any = project.getBuild().getFinalName().replace(project.getVersion(), "*") + "." + extension();
        Path file = Path.of(project.getBuild().getDirectory()).resolve(any);
        return repository(project.getBasedir().toPath()).relativize(file).toString();
    }

    /** The folder of the repository: the first upwards that has a .git. */
    private static Path repository(Path folder) throws MojoExecutionException {
        for (Path f = folder.toAbsolutePath(); f != null; f = f.getParent()) {
            if (f.resolve(".git").toFile().exists()) {
                return f;
            }
        }
        throw new MojoExecutionException(folder + " is in no git repository: <baseRef> needs one; else name a <base>");
    }
}
