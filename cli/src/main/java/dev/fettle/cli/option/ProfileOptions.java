package dev.fettle.cli.option;

import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.ProfileWish;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Profiles on demand. */
public final class ProfileOptions {
    @Option(
            names = "--profile",
            paramLabel = "KIND",
            split = ",",
            description =
                    "Have the JVM under test record where it spends its time: cpu (running code), wall (waits of workers"
                            + " included), lock (waits for locks), alloc (bytes allocated); several with commas. The report's page"
                            + " then has flame graphs${bundle:" + HelpWords.PROFILED
                            + "}. Recording costs the target a little.")
    private List<Profile.Kind> given = List.of();

    @Option(
            names = "--profiler",
            paramLabel = "NAME",
            description =
                    "What takes the stacks of --profile: async (async-profiler, a native library that stays in the process until"
                            + " it ends), jfr (the JVM's own flight recorder), or auto: async-profiler in targets that Fettle launches,"
                            + " where it runs, jfr elsewhere. Default: auto")
    private ProfileWish.@Nullable Engine engine;

    /** The requested kinds, in a fixed order; may be empty. */
    public Set<Profile.Kind> kinds() {
        if (given.isEmpty() && engine != null) {
            throw Parse.usage("--profiler goes with --profile, as in --profile cpu");
        }
        return given.isEmpty() ? Set.of() : EnumSet.copyOf(given);
    }

    /** What to profile, and with what. */
    public ProfileWish wish() {
        return new ProfileWish(kinds(), engine == null ? ProfileWish.Engine.AUTO : engine);
    }

    /** {@code cpu, lock}. */
    public String words() {
        return kinds().stream().map(Profile.Kind::id).collect(Collectors.joining(", "));
    }
}
