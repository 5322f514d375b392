package dev.fettle.junit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A plan, and what is asked of it. Immutable: each method gives another one. */
public final class PlanRun {
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final Path plan;
    private final PlanCommand command;
    private final List<String> options;
    private final Duration longest;

    private PlanRun(Path plan, PlanCommand command, List<String> options, Duration longest) {
        this.plan = plan;
        this.command = command;
        this.options = options;
        this.longest = longest;
    }

    static PlanRun of(Path plan) {
        return new PlanRun(plan, PlanCommand.CAPACITY, List.of(), LONGEST);
    }

    /** What is asked. Default: {@link PlanCommand#CAPACITY}. */
    public PlanRun command(PlanCommand command) {
        return new PlanRun(plan, command, options, longest);
    }

    /** The lowest capacity that is good: {@code 2000/s}. Less is a failure; less confirmed, and more possible, aborts. */
    public PlanRun atLeast(String rate) {
        return option("--at-least=" + rate);
    }

    /** Of a comparison: how much slower than the first another variant may be, such as {@code 3%}. */
    public PlanRun failIfSlower(String share) {
        return option("--fail-if-slower=" + share);
    }

    /** How long the search for the capacity may take. */
    public PlanRun budget(Duration time) {
        return option("--budget=" + Bench.millis(time));
    }

    /** Any other option of the command, as one argument: {@code --launches=3}. */
    public PlanRun option(String option) {
        if (!option.startsWith("-")) {
            throw new IllegalArgumentException("'" + option + "' is no option: write --name or --name=value");
        }
        var next = new ArrayList<>(options);
        next.add(option);
        return new PlanRun(plan, command, List.copyOf(next), longest);
    }

    /** How long the command may take in all. Default: 30 minutes. */
    public PlanRun within(Duration longest) {
        return new PlanRun(plan, command, options, longest);
    }

    /**
     * Runs the plan and judges the result. Journal and page go to the folder that the property {@code fettle.dir} names, else to {@code
     * target/fettle} of a Maven module, {@code build/fettle} of a Gradle project, else {@code .fettle}.
     *
     * @return a valid result that meets the objective
     * @throws org.opentest4j.AssertionFailedError if the objective is broken
     * @throws org.opentest4j.TestAbortedException if the result is void, or undecided
     * @throws FettleException if nothing was run: no command, a mistake in the plan, a target that does not start
     */
    public PlanResult run() {
        return run(FettleCommand.find());
    }

    PlanResult run(FettleCommand with) {
        var arguments = new ArrayList<>(List.of(command.word(), plan.toString(), "--json", "--dir=" + folder()));
        arguments.addAll(options);
        return Verdict.plan(with.run(arguments, "", longest), options);
    }

    private static String folder() {
        String given = System.getProperty("fettle.dir", "");
        String folder = !given.isBlank()
                ? given
                : Files.exists(Path.of("pom.xml"))
                        ? "target/fettle"
                        : Files.exists(Path.of("build.gradle")) || Files.exists(Path.of("build.gradle.kts"))
                                ? "build/fettle"
                                : ".fettle";
        return Path.of(folder).toAbsolutePath().toString();
    }
}
