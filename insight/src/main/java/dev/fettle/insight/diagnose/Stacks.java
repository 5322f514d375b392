package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.BusiestThread;
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
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What stacks show that were looked at while a trial was measured, and which methods belong to no application.
 *
 * @param ofAll whether they are those of all threads that ran, and not of a server's workers
 */
record Stacks(TimelineStats lines, boolean ofAll) {
    /** Packages of servers, which belong to no application. */
    private static final List<String> SERVERS = Stream.concat(
                    Arrays.stream(ServerKind.values()).flatMap(s -> s.rules().packages().stream()),
                    Stream.of(
                            "io.netty.",
                            "io.vertx.",
                            "reactor.",
                            "io.helidon.",
                            "com.sun.net.httpserver.",
                            "sun.net.httpserver."))
            .toList();

    /** Parts of those that a plan turns on and whose cost may surprise. */
    private static final Pattern ASKED_FOR = Pattern.compile("(?i).*(gzip|deflat|compress|brotli).*");

    /**
     * What many stacks have on top: a package of the application.
     *
     * @param method its method with the most stacks
     * @param share of the stacks of running workers
     * @param own the method's own part of that
     * @param caller the program's own method that calls most of it; empty if it is one of the program's itself, or none was seen
     * @param withCalls whether it is a method of the program's with all that it calls
     */
    record Hot(String method, double share, double own, Optional<String> caller, boolean withCalls) {
        Hot(String method, double share, double own) {
            this(method, share, own, Optional.empty(), false);
        }

        /** Whether the method has half of it, and may stand for all of it; else its package does. */
        boolean isMostlyOneMethod() {
            return own >= Thresholds.MOST_OF_A_REQUEST * share;
        }

        /** Its name for a title: {@code com.example.Parser.parse}, or {@code com.example.*}. */
        String title() {
            return (isMostlyOneMethod()
                            ? method
                            : Stacks.inPackage(method).isEmpty() ? inPackage() : inPackage() + ".*")
                    + caller.map(c -> ", called from " + c).orElse("")
                    + (withCalls ? " and what it calls" : "");
        }

        String inPackage() {
            String name = Stacks.inPackage(method);
            return name.isEmpty() ? "classes without a package" : name;
        }
    }

    /** Fewest stacks from which a share means something: one of one is not "all". */
    static final double FEWEST = Bounds.value("stacks");

    /**
     * What a part of the stacks, or of the CPU time, runs.
     *
     * @param method the innermost one outside the JDK
     * @param own the innermost one of the program's own; blank if there is none, or it was not seen
     * @param share its part, 0 to 1
     */
    record Ran(String method, String own, double share) {}

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
            return Optional.of("no stacks of " + whose() + " were sampled");
        }
        double all = running();
        OptionalFigure atOnce = ofAll ? perLook() : lines.mean(Signals.WAIT_RUNNING);
        OptionalFigure used = ofAll ? serving() : lines.mean(Signals.CPU_WORKERS);
        boolean elsewhere = atOnce.isPresent() && used.isPresent() && atOnce.getAsDouble() < SHOWN * used.getAsDouble();
        return all < FEWEST || elsewhere
                ? Optional.of(
                        "only " + FigureText.count((int) all, "stack") + " of " + whose() + " "
                                + (all == 1 ? "was" : "were")
                                + " seen to run: they use most of their CPU time where stacks don't show it, such as the kernel")
                : Optional.empty();
    }

    /** Whose they are: {@code workers}, {@code threads}. */
    String whose() {
        return ofAll ? "threads" : "workers";
    }

    private OptionalFigure perLook() {
        return seen(Sighting.LOOKS).map(n -> running() / Math.max(1, n));
    }

    /** CPUs' worth of time of the threads that run the server's and the application's code. */
    private OptionalFigure serving() {
        return lines.mean(Signals.CPU_TOTAL).isEmpty()
                ? OptionalFigure.empty()
                : OptionalFigure.of(BusiestThread.SERVING.stream()
                        .mapToDouble(g -> lines.mean(g).orElse(0))
                        .sum());
    }

    /** The part of the target's CPU time that these threads use; 1 if that was not read. */
    double ofCpu() {
        OptionalFigure these = ofAll ? serving() : lines.mean(Signals.CPU_WORKERS);
        double all = lines.mean(Signals.CPU_TOTAL).orElse(0);
        boolean toldApart = these.isPresent() && all > 0 && !(ofAll && these.getAsDouble() <= 0);
        return toldApart ? Math.min(1, these.getAsDouble() / all) : 1;
    }

    private List<Sighting> sightings(String kind) {
        return lines.sightings(ofAll ? Sighting.ofAll(kind) : kind);
    }

    /** The known methods in them, by their names; the detail begins with the caller. */
    List<Sighting> known() {
        return sightings(Sighting.METHOD_RUNS);
    }

    /** Stacks of running workers, over all looks; of an old recording those of the methods that it names. */
    double running() {
        return seen(Sighting.RUNS)
                .orElseGet(() -> runs().stream().mapToDouble(Sighting::count).sum());
    }

    /** How many stacks of one sort were seen; empty in an old recording. */
    private OptionalFigure seen(String name) {
        return OptionalFigure.of(sightings(Sighting.STACKS).stream()
                .filter(s -> s.what().equals(name))
                .mapToDouble(Sighting::count)
                .findFirst());
    }

    /** The methods that running workers have on top. */
    private List<Sighting> runs() {
        return seen(Sighting.RUNS).isPresent()
                ? sightings(Sighting.RUN_FRAME)
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
        List<Ran> inner = runs().stream()
                .map(f -> new Ran(f.what(), calledFrom(f), f.count() / all))
                .toList();
        return hottest(
                inner,
                sightings(Sighting.RUN_OWN).stream()
                        .collect(Collectors.toMap(Sighting::what, f -> f.count() / all, Double::sum)));
    }

    private static String calledFrom(Sighting frame) {
        return frame.detail().startsWith(Sighting.CALLED_FROM)
                ? frame.detail().substring(Sighting.CALLED_FROM.length()).split(";", 2)[0]
                : "";
    }

    /** The innermost method of the program's own in most of them, and its share. */
    Optional<Hot> own() {
        double all = running();
        return tooFew().isPresent()
                ? Optional.empty()
                : sightings(Sighting.RUN_OWN).stream()
                        .findFirst()
                        .map(f -> new Hot(f.what(), f.count() / all, f.count() / all));
    }

    /**
     * The package with the largest share, without those of the server; or, where many packages share what one method of the program's own
     * calls, that method.
     *
     * @param byOwn shares by the innermost method of the program's own
     */
    static Optional<Hot> hottest(List<Ran> ran, Map<String, Double> byOwn) {
        Map<String, List<Ran>> byPackage = ran.stream()
                .filter(m -> ASKED_FOR.matcher(m.method()).matches()
                        || SERVERS.stream().noneMatch(m.method()::startsWith))
                .sorted(Comparator.comparing(Ran::method))
                .collect(Collectors.groupingBy(m -> inPackage(m.method()), TreeMap::new, Collectors.toList()));
        Optional<Hot> inner = byPackage.values().stream().map(Stacks::hot).max(Comparator.comparingDouble(Hot::share));
        Optional<Hot> own = byOwn.entrySet().stream()
                .max(Map.Entry.<String, Double>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(m -> new Hot(m.getKey(), m.getValue(), m.getValue(), Optional.empty(), true));
        return own.filter(o -> inner.isEmpty() || inner.get().share() < Thresholds.MOST_OF_A_REQUEST * o.share())
                .or(() -> inner);
    }

    private static Hot hot(List<Ran> ofPackage) {
        Map<String, Double> byMethod = sums(ofPackage, Ran::method);
        double share = ofPackage.stream().mapToDouble(Ran::share).sum();
        Map.Entry<String, Double> most = most(byMethod);
        Optional<String> caller = Optional.of(most(sums(ofPackage, Ran::own)))
                .filter(c -> c.getValue() >= Thresholds.MOST_OF_A_REQUEST * share)
                .map(Map.Entry::getKey)
                .filter(c -> !c.isBlank() && !byMethod.containsKey(c));
        return new Hot(most.getKey(), share, most.getValue(), caller, false);
    }

    private static Map<String, Double> sums(List<Ran> ran, Function<Ran, String> by) {
        return ran.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.summingDouble(Ran::share)));
    }

    private static Map.Entry<String, Double> most(Map<String, Double> sums) {
        return sums.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    }

    /** The share of running workers' stacks that create exceptions, and where most of them do. */
    Optional<Hot> throwing() {
        List<Sighting> thrown = sightings(Sighting.THROWS);
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
                || !ofAll && !lines.sightings(Sighting.FRAME).isEmpty();
    }

    /** The package of {@code com.example.Parser.parse}. */
    private static String inPackage(String method) {
        String type = method.substring(0, Math.max(0, method.lastIndexOf('.')));
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }
}
