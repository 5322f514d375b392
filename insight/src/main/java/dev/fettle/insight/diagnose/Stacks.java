package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.StackFrames;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the stacks of workers show that were looked at while a trial was measured, and which methods belong to no application. */
record Stacks(TimelineStats lines) {
    /** Packages of servers, which belong to no application. */
    private static final List<String> SERVERS = Stream.concat(
                    Arrays.stream(ServerKind.values()).flatMap(s -> s.rules().packages().stream()),
                    Stream.of("io.netty.", "io.vertx.", "reactor."))
            .toList();

    /** Parts of those that a plan turns on and whose cost may surprise. */
    private static final Pattern ASKED_FOR = Pattern.compile("(?i).*(gzip|deflat|compress|brotli).*");

    /**
     * What many stacks have on top: a package of the application.
     *
     * @param method its method with the most stacks
     * @param share of the stacks of running workers
     * @param own the method's own part of that
     */
    record Hot(String method, double share, double own) {
        /** Whether the method has half of it, and may stand for all of it; else its package does. */
        boolean isMostlyOneMethod() {
            return own >= Thresholds.MOST_OF_A_REQUEST * share;
        }

        /** Its name for a title: {@code com.example.Parser.parse}, or {@code com.example.*}. */
        String title() {
            return isMostlyOneMethod() ? method : Stacks.inPackage(method).isEmpty() ? inPackage() : inPackage() + ".*";
        }

        String inPackage() {
            String name = Stacks.inPackage(method);
            return name.isEmpty() ? "classes without a package" : name;
        }
    }

    /** Fewest stacks from which a share means something: one of one is not "all". */
    static final double FEWEST = Bounds.value("stacks");

    /**
     * Running stacks per look, over the CPUs that workers use. With less, they spend most of their time where stacks
     * don't show it.
     */
    static final double SHOWN = 0.5;

    /**
     * Why the stacks of running threads don't show where the CPU time goes; empty if they do. A thread that reads or
     * writes a socket counts as waiting, although it may be using a CPU in the kernel.
     */
    Optional<String> tooFew() {
        if (!looked()) {
            return Optional.of("no stacks of workers were sampled");
        }
        double all = running();
        OptionalFigure atOnce = lines.mean(Signals.WAIT_RUNNING);
        OptionalFigure used = lines.mean(Signals.CPU_WORKERS);
        boolean elsewhere = atOnce.isPresent() && used.isPresent() && atOnce.getAsDouble() < SHOWN * used.getAsDouble();
        return all < FEWEST || elsewhere
                ? Optional.of(
                        "only " + FigureText.count((int) all, "stack") + " of workers "
                                + (all == 1 ? "was" : "were")
                                + " seen to run: they use most of their CPU time where stacks don't show it, such as the kernel")
                : Optional.empty();
    }

    /** Stacks of running workers, over all looks; of an old recording those of the methods that it names. */
    double running() {
        return seen(Sighting.RUNS)
                .orElseGet(() -> runs().stream().mapToDouble(Sighting::count).sum());
    }

    /** How many stacks of one sort were seen; empty in an old recording. */
    private OptionalFigure seen(String name) {
        return OptionalFigure.of(lines.sightings(Sighting.STACKS).stream()
                .filter(s -> s.what().equals(name))
                .mapToDouble(Sighting::count)
                .findFirst());
    }

    /** The methods that running workers have on top. */
    private List<Sighting> runs() {
        return seen(Sighting.RUNS).isPresent()
                ? lines.sightings(Sighting.RUN_FRAME)
                : lines.sightings(Sighting.FRAME).stream()
                        .filter(f -> f.detail().startsWith(Sighting.RUNS))
                        .toList();
    }

    /**
     * What most stacks of running workers have on top, without the server's own frames; empty if no stack was looked
     * at.
     */
    Optional<Hot> hottest() {
        double all = running();
        return hottest(runs().stream()
                .collect(Collectors.groupingBy(Sighting::what, Collectors.summingDouble(f -> f.count() / all))));
    }

    /** The package with the largest share, without those of the server. */
    static Optional<Hot> hottest(Map<String, Double> byMethod) {
        Map<String, List<Map.Entry<String, Double>>> byPackage = byMethod.entrySet().stream()
                .filter(m -> ASKED_FOR.matcher(m.getKey()).matches()
                        || SERVERS.stream().noneMatch(m.getKey()::startsWith))
                .sorted(Map.Entry.comparingByKey())
                .collect(Collectors.groupingBy(m -> inPackage(m.getKey()), TreeMap::new, Collectors.toList()));
        return byPackage.values().stream().map(Stacks::hot).max(Comparator.comparingDouble(Hot::share));
    }

    private static Hot hot(List<Map.Entry<String, Double>> ofPackage) {
        Map.Entry<String, Double> most =
                ofPackage.stream().max(Map.Entry.comparingByValue()).orElseThrow();
        return new Hot(
                most.getKey(),
                ofPackage.stream().mapToDouble(Map.Entry::getValue).sum(),
                most.getValue());
    }

    /** The share of running workers' stacks that create exceptions, and where most of them do. */
    Optional<Hot> throwing() {
        List<Sighting> thrown = lines.sightings(Sighting.THROWS);
        double all = running();
        double making = seen(Sighting.RUNS_THROWING)
                .orElseGet(() -> thrown.stream().mapToDouble(Sighting::count).sum());
        return all <= 0 || thrown.isEmpty()
                ? Optional.empty()
                : Optional.of(new Hot(
                        thrown.getFirst().what(),
                        Math.min(1, making / all),
                        Math.min(1, thrown.getFirst().count() / all)));
    }

    /** The share of running workers' stacks that are in TLS. */
    double inTls() {
        double all = running();
        double inTls = seen(Sighting.RUNS_TLS)
                .orElseGet(() -> runs().stream()
                        .filter(f -> StackFrames.isTls(f.what()))
                        .mapToDouble(Sighting::count)
                        .sum());
        return all <= 0 ? 0 : inTls / all;
    }

    /** Whether there are any. */
    boolean looked() {
        return seen(Sighting.RUNS).isPresent()
                || !lines.sightings(Sighting.FRAME).isEmpty();
    }

    /** The package of {@code com.example.Parser.parse}. */
    private static String inPackage(String method) {
        String type = method.substring(0, Math.max(0, method.lastIndexOf('.')));
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }
}
