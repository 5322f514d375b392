package dev.fettle.model.plan;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Target;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the search of a tune sets its knobs in one warm JVM, one setting after the other, instead of starting a JVM for
 * each trial. The duel is on fresh JVMs in any case.
 */
public final class WarmSearch {
    private WarmSearch() {}

    /** Whether the search of this plan runs in one warm JVM: where it can and that saves time, unless the plan says otherwise. */
    public static boolean of(Plan plan) {
        return plan.budget().live().orElseGet(() -> !hooksOfATrial(plan) && !poolStays(plan)) && canRun(plan);
    }

    private static boolean canRun(Plan plan) {
        return !plan.knobs().isEmpty() && whyNot(plan).isEmpty();
    }

    /** Why it can't, in a clause; empty if it can. */
    public static Optional<String> whyNot(Plan plan) {
        Optional<ServerKind> server = launched(plan.target());
        if (server.isEmpty()) {
            return Optional.of("Fettle sets live knobs only in a " + ServerKind.any() + " that it launches itself");
        }
        Optional<String> knob = plan.knobs().stream()
                .map(KnobRange::knob)
                .filter(k -> !isLive(k, server.get(), plan))
                .findFirst();
        if (knob.filter(ServerKind.CHOICE::equals).isPresent()) {
            return Optional.of("another server is another process");
        }
        if (knob.isPresent()) {
            return knob.map(k ->
                    k + " takes a new value only at a start of " + server.get().id());
        }
        if (plan.objective().metric() == Metric.CAPACITY) {
            return Optional.of("each trial searches for its capacity on a process of its own");
        }
        boolean memory = Stream.concat(Stream.of(plan.objective().metric()), plan.objective().against().stream())
                .anyMatch(Metric.MEMORY::equals);
        return memory ? Optional.of("the memory of a JVM keeps what earlier settings made of it") : Optional.empty();
    }

    private static Optional<ServerKind> launched(Target target) {
        return target.knownServer().filter(s -> target.isLaunched());
    }

    private static boolean isLive(String name, ServerKind server, Plan plan) {
        Optional<Knob> knob = Knobs.find(name).filter(Knob::hasInterval);
        if (knob.isEmpty()) {
            return false;
        }
        NativeKnob there = knob.get().on(server);
        return there.applies()
                && there.live()
                && there.without().entrySet().stream()
                        .noneMatch(e -> plan.hold()
                                .get(e.getKey())
                                .filter(e.getValue()::equals)
                                .isPresent());
    }

    /** Of a pool that keeps the threads it has, each smaller size would need a fresh JVM after all. */
    private static boolean poolStays(Plan plan) {
        return launched(plan.target()).filter(s -> s.rules().poolKeepsThreads()).isPresent()
                && plan.knobs().stream().anyMatch(k -> k.knob().equals("threads.max"));
    }

    /** A hook of every trial, such as one that empties a database, would run only once. */
    private static boolean hooksOfATrial(Plan plan) {
        return plan.hooks()
                .map(h -> Stream.concat(h.before().stream(), h.after().stream())
                        .anyMatch(hook -> hook.scope() == Hook.Scope.TRIAL))
                .orElse(false);
    }
}
