package dev.fettle.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * A program that is run to its end: what it prints is printed, it gets no input, and it ends with the build.
 *
 * @param folder where it runs
 * @param line the program and its arguments; no shell reads them
 */
record Run(Path folder, List<String> line) {
    private static final int SECONDS_TO_END = 20;

    /** Its exit code. */
    int code() throws MojoExecutionException {
        Process process = start();
        var hook = new Thread(process::destroy, "fettle-ends");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            end(process);
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("the build was interrupted", e);
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the JVM is ending, and the hook runs
            }
        }
    }

    private Process start() throws MojoExecutionException {
        try {
            return new ProcessBuilder(line)
                    .directory(folder.toFile())
                    .inheritIO()
                    .redirectInput(new File("/dev/null"))
                    .start();
        } catch (IOException e) {
            throw new MojoExecutionException(line.get(0) + " can't be started: " + e.getMessage(), e);
        }
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }
}
