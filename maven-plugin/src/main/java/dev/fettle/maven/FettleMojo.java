package dev.fettle.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.inject.Inject;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.jspecify.annotations.Nullable;

/** What the goals share: where the command is, where it writes, and what its exit code means. */
@SuppressWarnings("NullAway.Init") // fields are set by Maven
public abstract class FettleMojo extends AbstractMojo {
    /** Where modules are built side by side, one load at a time: two would measure each other. */
    private static final Object ONE_AT_A_TIME = new Object();

    /** Leaves the goal out. */
    @Parameter(property = "fettle.skip", defaultValue = "false")
    boolean skip;

    /** The folder of a distribution or a checkout of Fettle. Default: the variable FETTLE_HOME, else a fettle on the PATH. */
    @Parameter(property = "fettle.home")
    @Nullable
    File home;

    /** A distribution by coordinates, GROUP:fettle-dist:tar.gz:linux-ARCH:VERSION, which is unpacked once into ~/.cache/fettle. */
    @Parameter(property = "fettle.distribution")
    @Nullable
    String distribution;

    /** The folder of the journal and the pages. */
    @Parameter(property = "fettle.dir", defaultValue = "${project.build.directory}/fettle")
    File dir;

    /** More options of the command, one argument each: --answers-may-differ. */
    @Parameter
    @Nullable
    List<String> options;

    /** The project. */
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    /** The build. */
    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    MavenSession session;

    /** Resolves artifacts. */
    @Inject
    RepositorySystem repositories;

    /** Which goal it is. */
    abstract Goal goal();

    /**
     * Arguments after the goal's word, without those that all goals have.
     *
     * @throws MojoExecutionException where something is missing: what, and what would be right
     */
    abstract Arguments arguments() throws MojoExecutionException;

    /** Why there is nothing to do in this project; empty: there is. */
    String nothingToDo() {
        return "";
    }

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        String why = skip ? "fettle.skip is set" : nothingToDo();
        if (!why.isEmpty()) {
            getLog().info("fettle " + goal().word() + " is skipped: " + why);
            return;
        }
        List<String> line = line();
        int code;
        synchronized (ONE_AT_A_TIME) {
            code = new Run(project.getBasedir().toPath(), line).code();
        }
        Exit.judge(goal(), code);
    }

    /** The program and all its arguments. */
    List<String> line() throws MojoExecutionException {
        var line = new ArrayList<String>();
        List<String> own = arguments().all();
        line.add(launcher().toString());
        line.add(goal().word());
        line.addAll(own);
        line.addAll(new Arguments()
                .option("dir", dir)
                .option("markdown", written("md"))
                .option("junit", written("xml"))
                .options(options)
                .all());
        return line;
    }

    /** The result as a file, next to the journal. */
    private Path written(String ending) throws MojoExecutionException {
        try {
            return Files.createDirectories(dir.toPath()).resolve(goal().word() + "." + ending);
        } catch (IOException e) {
            throw new MojoExecutionException("the folder " + dir + " can't be made: " + e.getMessage(), e);
        }
    }

    private Path launcher() throws MojoExecutionException {
        if (home == null && distribution != null) {
            Path unpacked = Home.unpacked(resolved(distribution).toPath(), Home.cache(System::getenv));
            return Home.launcher(unpacked.toFile(), System::getenv);
        }
        return Home.launcher(home, System::getenv);
    }

    /** The file of an artifact, from the project's repositories. */
    File resolved(String coordinates) throws MojoExecutionException {
        try {
            var request = new ArtifactRequest(
                    new DefaultArtifact(coordinates), project.getRemoteProjectRepositories(), "fettle");
            return repositories
                    .resolveArtifact(session.getRepositorySession(), request)
                    .getArtifact()
                    .getFile();
        } catch (ArtifactResolutionException | IllegalArgumentException e) {
            throw new MojoExecutionException(coordinates + " can't be resolved: " + e.getMessage(), e);
        }
    }
}
