package dev.fettle.cli;

import dev.fettle.lab.CpuLayout;
import dev.fettle.model.Dimension;
import dev.fettle.model.Hook;
import dev.fettle.model.Hooks;
import dev.fettle.model.KnobRange;
import dev.fettle.model.Plan;
import dev.fettle.model.Target;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is about to happen, and how long it will take. */
final class Announcement {
    /** Seconds that a trial takes besides warm-up and measuring: launch, read-back, stop. */
    private static final int OVERHEAD_SECONDS = 3;

    /** Warm-ups usually end well before their bound. */
    private static final int USUAL_WARM_UP_SECONDS = 6;

    private Announcement() {}

    static String text(Kind kind, Plan plan, String runId, CpuLayout cpus) {
        var s = new StringBuilder();
        s.append("Run ")
                .append(runId)
                .append(": ")
                .append(kind.id())
                .append(' ')
                .append(plan.name())
                .append('\n');
        s.append("  target  ").append(target(plan.target())).append('\n');
        plan.hooks().ifPresent(h -> s.append("  hooks   ").append(hooks(h)).append('\n'));
        s.append("  load    ")
                .append(plan.load().connections())
                .append(plan.load().keepAlive() ? " connections, keep-alive, " : " connections, no keep-alive, ")
                .append(plan.load().request().method())
                .append(' ')
                .append(plan.load().request().path())
                .append(", each waits for its answer before the next request\n");
        if (!plan.target().configured().isDefault()) {
            s.append("  its own ").append(plan.target().configured()).append('\n');
        }
        if (!plan.hold().isDefault()) {
            s.append("  held    ").append(plan.hold()).append('\n');
        }
        s.append(
                switch (kind) {
                    case TUNE ->
                        "  knobs   "
                                + plan.knobs().stream().map(Announcement::knob).collect(Collectors.joining(", "))
                                + "\n  plan    the default first, then at most "
                                + (plan.budget().trials() - 1)
                                + " trials of other settings, then "
                                + plan.budget().pairs()
                                + " interleaved pairs of the best against the default\n";
                    case SWEEP ->
                        plan.sweep()
                                .map(w -> "  grid    "
                                        + w.grid().stream()
                                                .map(Announcement::axis)
                                                .collect(Collectors.joining(" × ")) + ", " + w.repeats()
                                        + " times, in random order\n")
                                .orElse("");
                    case COMPARE ->
                        plan.compare()
                                .map(c -> "  compare "
                                        + c.variants().stream()
                                                .map(v -> v.name())
                                                .collect(Collectors.joining(", "))
                                        + (c.grid().isEmpty()
                                                ? ""
                                                : " for "
                                                        + c.grid().stream()
                                                                .map(Announcement::axis)
                                                                .collect(Collectors.joining(" × ")))
                                        + ", in " + c.pairs() + " blocks of random order\n")
                                .orElse("");
                });
        s.append(
                        plan.target() instanceof Target.Running
                                ? "  all trials in this one process, which keeps its CPUs"
                                : "  every trial on a fresh process; server on CPU " + CpuLayout.list(cpus.server()))
                .append(", generator on CPU ")
                .append(CpuLayout.list(cpus.generator()))
                .append(cpus.separate() ? "" : " (the same: good for comparing, not as absolute figures)")
                .append('\n');
        s.append("  takes ").append(duration(kind, plan)).append('\n');
        return s.toString();
    }

    private static String target(Target target) {
        return switch (target) {
            case Target.Embedded e ->
                e.server().id() + " with the app '" + e.app() + "'"
                        + e.backend()
                                .map(b -> ", whose backend is another process and takes "
                                        + b.delay().toMillis() + " ms")
                                .orElse("");
            case Target.War w -> w.server().id() + ", embedded, with " + w.war() + " at " + w.context();
            case Target.Standalone s ->
                "a standalone " + s.server().id()
                        + s.version().map(v -> " " + v).orElse("")
                        + s.home().map(h -> " of " + h).orElse("")
                        + s.base().map(b -> " with the configuration of " + b).orElse("")
                        + s.war().map(w -> " and " + w + " at " + s.context()).orElse("");
            case Target.Boot b ->
                b.jar() + " (Spring Boot " + b.version() + " on " + b.server().id() + ")";
            case Target.Command c ->
                "a command"
                        + (c.artifacts().isEmpty()
                                ? ""
                                : ": " + String.join(", ", c.artifacts().values()));
            case Target.Running r ->
                r.label()
                        + r.knownServer().map(k -> ", a " + k.id()).orElse("")
                        + r.url().map(u -> ", at " + u).orElse("")
                        + (r.live() ? "; live knobs are set in it, and put back" : "; nothing is set in it");
            case Target.Url(var base) -> base.toString();
        };
    }

    private static String hooks(Hooks hooks) {
        return Stream.of(names("before", hooks.before()), names("after", hooks.after()))
                .filter(n -> !n.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static String names(String where, List<Hook> hooks) {
        return hooks.isEmpty()
                ? ""
                : where + " "
                        + hooks.stream()
                                .map(h -> h.program()
                                        + (h.background() ? " (stays up)" : "")
                                        + (h.scope() == Hook.Scope.RUN ? " (once)" : ""))
                                .collect(Collectors.joining(", "));
    }

    private static String knob(KnobRange k) {
        return k.knob() + (k.isInterval() ? " " + k.from() + "…" + k.to() : " " + String.join(" | ", k.choices()));
    }

    private static String axis(Dimension d) {
        return d.name() + " " + String.join(", ", d.values());
    }

    private static String duration(Kind kind, Plan plan) {
        long trial = OVERHEAD_SECONDS
                + Math.min(USUAL_WARM_UP_SECONDS, plan.load().warmUpAtMost().toSeconds())
                + plan.load().measure().toSeconds();
        long trials = switch (kind) {
            case TUNE -> plan.budget().trials() + 2L * plan.budget().pairs();
            case SWEEP -> plan.sweep().map(w -> cells(w.grid()) * w.repeats()).orElse(0L);
            case COMPARE ->
                plan.compare()
                        .map(c -> cells(c.grid()) * c.variants().size() * c.pairs())
                        .orElse(0L);
        };
        Duration guess = Duration.ofSeconds(trial * trials);
        if (kind == Kind.TUNE) {
            Duration bound = plan.budget().time();
            return "about " + words(guess.compareTo(bound) < 0 ? guess : bound) + ", at most " + words(bound)
                    + ", half as much again if trials are disturbed";
        }
        return "about " + words(guess) + " (" + trials + " trials)";
    }

    private static long cells(java.util.List<Dimension> grid) {
        return grid.stream().mapToLong(d -> d.values().size()).reduce(1, (a, b) -> a * b);
    }

    private static String words(Duration d) {
        long s = d.toSeconds();
        return s < 100 ? s + " s" : (s + 30) / 60 + " min";
    }
}
