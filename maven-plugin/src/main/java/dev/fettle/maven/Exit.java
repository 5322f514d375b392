package dev.fettle.maven;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/**
 * What the command's exit code means to a build: it passes with 0 alone. What was measured and is not good enough, not decided, or void is a
 * failure; what was not measured is an error.
 */
final class Exit {
    private Exit() {}

    /**
     * Returns for a pass.
     *
     * @param goal the goal, for messages
     * @param code the command's exit code
     */
    static void judge(Goal goal, int code) throws MojoFailureException, MojoExecutionException {
        switch (code) {
            case 0 -> {}
            case 4 ->
                throw new MojoFailureException("fettle " + goal.word() + ": " + goal.nothing() + " (exit code 4)");
            case 5 -> throw new MojoFailureException("fettle " + goal.word() + ": " + goal.broken() + " (exit code 5)");
            case 6 ->
                throw new MojoFailureException(
                        "fettle " + goal.word()
                                + ": can't tell (exit code 6). More <time> may settle it; <cantTell>warns</cantTell> goes on with a warning");
            case 130, 143 -> throw new MojoExecutionException("fettle " + goal.word() + " was interrupted");
            default ->
                throw new MojoExecutionException("fettle %s: there is no result; its last line says why (exit code %d)"
                        .formatted(goal.word(), code));
        }
    }
}
