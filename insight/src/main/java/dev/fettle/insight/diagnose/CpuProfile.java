package dev.fettle.insight.diagnose;

import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.Profile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A trial's profile of its CPU time, by the innermost methods outside the JDK. Its stacks are taken whenever CPU time was used, and not
 * only where the JVM can stop a thread, as those of a thread dump: after Mytkowicz et al., "Evaluating the accuracy of Java
 * profilers", PLDI 2010, the latter may name a method that runs beside the costly one.
 *
 * @param seconds of CPU time that it has
 * @param part how much of the target's CPU time it stands for, 0 to 1: the flight recorder sees Java code alone, and either may miss some
 */
record CpuProfile(Profile profile, double seconds, double part) {
    /** With less, the error of a share of 30 % is beyond 4.6 % at a sample every 10 ms: the square root of 0.3 x 0.7 / 100. */
    private static final double LEAST_SECONDS = 1;

    private static final double MILLIS_A_SECOND = 1e3;

    /** The profile of a trial; empty if there is none, or it has too little to tell shares. */
    static Optional<CpuProfile> of(Optional<Evidence> evidence) {
        OptionalDouble used = evidence.map(Evidence::serverCpuSeconds).orElse(OptionalDouble.empty());
        return evidence.stream()
                .flatMap(e -> e.profiles().stream())
                .filter(p -> p.kind() == Profile.Kind.CPU)
                .map(p -> {
                    double seconds = p.total() / MILLIS_A_SECOND;
                    double part =
                            used.isPresent() && used.getAsDouble() > 0 ? Math.min(1, seconds / used.getAsDouble()) : 1;
                    return new CpuProfile(p, seconds, part);
                })
                .filter(p -> p.seconds >= LEAST_SECONDS)
                .findFirst();
    }

    /** Share of the target's CPU time by the innermost Java method outside the JDK; stacks without one are left out. */
    Map<String, Double> byCaller() {
        Map<String, Double> all = new HashMap<>();
        for (Profile.Stack s : profile.stacks()) {
            caller(s).ifPresent(name -> all.merge(name, s.weight() / profile.total() * part, Double::sum));
        }
        return all;
    }

    private Optional<String> caller(Profile.Stack stack) {
        return stack.frames().reversed().stream()
                .map(profile.frames()::get)
                .filter(CpuProfile::isJava)
                .filter(f -> !JdkPackages.have(f))
                .findFirst();
    }

    /** Whether a frame is a Java method: those of the kernel and of libraries have their place behind a space, or no dot. */
    private static boolean isJava(String frame) {
        return frame.indexOf(' ') < 0 && frame.indexOf('.') > 0 && frame.charAt(0) != '[';
    }

    /** {@code a profile of 10.4 s (async-profiler 4.1)}. */
    String words() {
        return "a profile of " + Say.seconds(profile.seconds()) + " ("
                + profile.source().split(":", 2)[0] + ")";
    }
}
