package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.BusiestThread;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.KnownMethod;
import dev.fettle.model.trial.KnownMethods;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.StackFrames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A trial's profile of its CPU time, by the innermost methods outside the JDK. Its stacks are taken whenever CPU time was used, and not
 * only where the JVM can stop a thread, as those of a thread dump: after Mytkowicz et al., "Evaluating the accuracy of Java
 * profilers", PLDI 2010, the latter may name a method that runs beside the costly one.
 *
 * @param told weight of the stacks of which the method is known
 * @param part how much of the target's CPU time it stands for, 0 to 1: the flight recorder sees Java code alone, and either may miss some
 */
record CpuProfile(Profile profile, double told, double part) {
    /** With less, the error of a share of 30 % is beyond 4.6 % at a sample every 10 ms: the square root of 0.3 x 0.7 / 100. */
    static final double LEAST_SECONDS = Bounds.value("profile-seconds");

    private static final double MILLIS_A_SECOND = 1e3;

    /** With less of it told, what it has of a method may be a half of what that used. */
    private static final double LEAST_TOLD = 0.5;

    private static final String FLIGHT_RECORDER = "Java Flight Recorder";

    /** The profile of a trial; empty if there is none, or it has too little to tell shares. */
    static Optional<CpuProfile> of(Optional<Evidence> evidence, TimelineStats lines) {
        OptionalFigure used = OptionalFigure.from(evidence, e -> e.get(Aggregate.SERVER_CPU_SECONDS));
        return evidence.stream()
                .flatMap(e -> e.profiles().stream())
                .filter(p -> p.kind() == Profile.Kind.CPU && p.total() >= LEAST_SECONDS * MILLIS_A_SECOND)
                .map(p -> new CpuProfile(
                        p,
                        p.total() - p.untold(),
                        isOfJava(p) ? ofJava(lines) : part(p.total() / MILLIS_A_SECOND, used)))
                .filter(p -> p.told >= LEAST_TOLD * p.profile.total())
                .findFirst();
    }

    private static double part(double seconds, OptionalFigure used) {
        return used.isPresent() && used.getAsDouble() > 0 ? Math.min(1, seconds / used.getAsDouble()) : 1;
    }

    /**
     * Whether its samples are no CPU time: the flight recorder takes up to five of the threads that are in Java code each time, whether
     * or not they have a CPU.
     */
    boolean isOfJava() {
        return isOfJava(profile);
    }

    private static boolean isOfJava(Profile p) {
        return p.source().startsWith(FLIGHT_RECORDER);
    }

    /** The share of the target's CPU time of threads that run Java code; 1 if that was not read. */
    private static double ofJava(TimelineStats lines) {
        OptionalFigure all = lines.mean(Signals.CPU_TOTAL);
        double java = BusiestThread.SERVING.stream()
                .mapToDouble(g -> lines.mean(g).orElse(0))
                .sum();
        return all.isPresent()
                        && all.getAsDouble() > 0
                        && lines.mean(Signals.CPU_WORKERS).isPresent()
                ? Math.min(1, java / all.getAsDouble())
                : 1;
    }

    /** Share of the target's CPU time by the innermost Java method outside the JDK; stacks without one are left out. */
    Map<String, Double> byCaller() {
        return byCaller(profile.stacks());
    }

    private Map<String, Double> byCaller(List<Profile.Stack> stacks) {
        return ran(stacks).stream()
                .collect(Collectors.groupingBy(Stacks.Ran::method, Collectors.summingDouble(Stacks.Ran::share)));
    }

    private List<Stacks.Ran> ran(List<Profile.Stack> stacks) {
        var all = new ArrayList<Stacks.Ran>();
        for (Profile.Stack s : stacks) {
            List<String> frames = frames(s);
            int caller = StackFrames.caller(frames);
            if (caller >= 0) {
                all.add(new Stacks.Ran(
                        frames.get(caller), KnownMethods.ofProgram(frames).orElse(""), s.weight() / told * part));
            }
        }
        return all;
    }

    /** The methods of a package, or one of the program's own with all that it calls, that have most of the CPU time. */
    Optional<Stacks.Hot> hottest() {
        List<Stacks.Ran> ran = ran(profile.stacks());
        return Stacks.hottest(
                ran,
                ran.stream()
                        .filter(r -> !r.own().isBlank())
                        .collect(Collectors.groupingBy(Stacks.Ran::own, Collectors.summingDouble(Stacks.Ran::share))));
    }

    /** The methods whose cost is known, the most expensive first; shares are of the target's CPU time. */
    List<KnownMethodRules.Known> known() {
        return KnownMethodRules.in(profile, KnownMethod.Cost.CPU, told / part);
    }

    /** The share of the target's CPU time in which exceptions are made, and the method that makes most. */
    Optional<Stacks.Hot> throwing() {
        Map<String, Double> all = byCaller(
                profile.stacks().stream().filter(s -> throwing(frames(s))).toList());
        return all.entrySet().stream()
                .max(Map.Entry.<String, Double>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(most -> new Stacks.Hot(
                        most.getKey(),
                        all.values().stream().mapToDouble(Double::doubleValue).sum(),
                        most.getValue()));
    }

    private static boolean throwing(List<String> frames) {
        return frames.subList(StackFrames.caller(frames) + 1, frames.size()).stream()
                .anyMatch(StackFrames::throwing);
    }

    /** The share of the target's CPU time in TLS. */
    double inTls() {
        return byCaller().entrySet().stream()
                .filter(m -> StackFrames.isTls(m.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private List<String> frames(Profile.Stack stack) {
        return stack.frames().stream().map(profile.frames()::get).toList();
    }

    /** {@code a profile of 10.4 s (async-profiler 4.1)}. */
    String words() {
        return "a profile of " + Format.seconds(profile.seconds()) + " ("
                + profile.source().split(":", 2)[0]
                + (isOfJava()
                        ? ", whose samples are of Java code: the threads that run it have " + Format.share(part)
                                + " of the CPU time"
                        : "")
                + ")";
    }
}
