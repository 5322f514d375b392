package dev.fettle.insight.waits;

import dev.fettle.model.trial.ThreadsSeen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The graphs of a few moments: what the threads at work wait for, followed to whoever holds or works it, and summed up over the moments. What
 * holds of one moment only may be chance: a root says in how many it was seen.
 */
public final class WaitGraph {
    private static final int ENOUGH = 2;

    private final List<Root> roots;
    private final int looks;
    private final double atWork;
    private final boolean partial;

    private final List<MomentGraph> moments;

    private WaitGraph(List<Root> roots, double atWork, boolean partial, List<MomentGraph> moments) {
        this.moments = List.copyOf(moments);
        this.partial = partial;
        this.roots = List.copyOf(roots);
        this.looks = moments.size();
        this.atWork = atWork;
    }

    /** The graph of what was seen since measuring began; also of what was seen before, if that was less than twice. */
    public static WaitGraph of(ThreadsSeen seen) {
        List<ThreadsSeen.Moment> measured =
                seen.moments().stream().filter(m -> m.millis() >= 0).toList();
        List<ThreadsSeen.Moment> all = measured.size() < ENOUGH ? seen.moments() : measured;
        List<MomentGraph> graphs =
                all.stream().map(m -> new MomentGraph(m, seen)).toList();
        var claims = new LinkedHashMap<List<String>, List<Claim>>();
        for (MomentGraph g : graphs) {
            for (Claim c : g.claims()) {
                if (seen.partial() && c.kind().needsAll()) {
                    continue;
                }
                claims.computeIfAbsent(List.of(c.kind().id(), c.subject()), _ -> new ArrayList<>())
                        .add(c);
            }
        }
        int looks = graphs.size();
        List<Root> roots = claims.values().stream()
                .map(c -> sum(c, looks))
                .sorted(Comparator.comparingDouble(Root::share).reversed())
                .toList();
        double atWork =
                graphs.stream().mapToDouble(MomentGraph::atWork).average().orElse(0);
        return new WaitGraph(roots, atWork, seen.partial(), graphs);
    }

    /**
     * The application's method, or without one a library's, from which most threads came into one of some methods, over all moments; empty if
     * no thread was seen in one.
     *
     * @param begins how those methods, with their classes in front, begin
     */
    public Optional<String> callerOf(List<String> begins) {
        Map<String, Double> sums = new TreeMap<>();
        moments.forEach(m -> m.in(begins).forEach((method, n) -> sums.merge(method, n, Double::sum)));
        return sums.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /**
     * The same for what the table of frames has of a kind.
     *
     * @param kind {@code opens} connections, {@code makes} clients, {@code starts} threads
     */
    public Optional<String> callerIn(String kind) {
        return callerOf(FrameTable.get().frames(kind));
    }

    /** The part of the threads at work that are in a method which the table of frames has of a kind, 0 to 1. */
    public double shareIn(String kind) {
        List<String> begins = FrameTable.get().frames(kind);
        List<Place> all = moments.stream().flatMap(m -> m.work().stream()).toList();
        return all.isEmpty()
                ? 0
                : count(all.stream().filter(p -> p.isIn(begins)).toList()) / count(all);
    }

    /** The names of event loops, or of the one thread that hands on requests, that were there at some moment and not at the last one. */
    public static Optional<String> endedLoops(ThreadsSeen seen) {
        if (seen.partial() || seen.moments().size() < ENOUGH) {
            return Optional.empty();
        }
        Set<String> last = seen.moments().getLast().groups().stream()
                .map(ThreadsSeen.Group::kind)
                .collect(Collectors.toSet());
        return seen.moments().stream()
                .flatMap(m -> m.groups().stream())
                .filter(g -> !last.contains(g.kind()))
                .map(g -> new Place(g, seen))
                .filter(Place::loop)
                .map(Place::kind)
                .findFirst();
    }

    /** The method from which most threads wait for direct memory, event loops among them; empty if none does. */
    public Optional<String> waitingForMemory() {
        return moments.stream()
                .flatMap(m -> m.places().stream())
                .filter(p -> p.doing() == Wait.MEMORY)
                .collect(Collectors.groupingBy(Place::method, TreeMap::new, Collectors.summingDouble(Place::count)))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /** The method in which most threads were at work, over all moments and the warm-up's, too; empty if none was seen in the application's code. */
    public static Optional<String> mostAtWork(ThreadsSeen seen) {
        Map<String, Double> sums = new TreeMap<>();
        for (ThreadsSeen.Moment m : seen.moments()) {
            new MomentGraph(m, seen).atWorkIn().forEach((method, n) -> sums.merge(method, n, Double::sum));
        }
        return sums.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /**
     * The scheduler all of whose threads were seen most often to run tasks: those that are due meanwhile wait; empty if none was so twice.
     */
    public Optional<FullScheduler> fullScheduler() {
        var tasks = new TreeMap<String, List<Place>>();
        var at = new TreeMap<String, List<Double>>();
        moments.forEach(m -> m.fullSchedulers().forEach((kind, of) -> {
            tasks.computeIfAbsent(kind, _ -> new ArrayList<>()).addAll(of);
            at.computeIfAbsent(kind, _ -> new ArrayList<>()).add(m.seconds());
        }));
        return at.entrySet().stream()
                .filter(e -> e.getValue().size() >= ENOUGH)
                .max(Comparator.comparingInt(e -> e.getValue().size()))
                .map(e -> scheduler(e.getKey(), e.getValue(), tasks.getOrDefault(e.getKey(), List.of())));
    }

    private FullScheduler scheduler(String kind, List<Double> at, List<Place> tasks) {
        Place most = tasks.stream()
                .collect(Collectors.groupingBy(Place::method, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .max(Comparator.comparingDouble(WaitGraph::count))
                .orElseThrow()
                .getFirst();
        return new FullScheduler(
                kind,
                (int) Math.round(count(tasks) / at.size()),
                most.method(),
                most.work(),
                most.name(),
                at,
                moments.stream()
                        .map(MomentGraph::seconds)
                        .filter(t -> !at.contains(t))
                        .toList());
    }

    /** The calls in which most of those are seen that wait for no other thread, over all moments; empty if none is in one. */
    public Optional<Calls> calls() {
        List<Place> all = moments.stream().flatMap(m -> m.onTheirOwn().stream()).toList();
        double sum = all.stream().mapToDouble(Place::count).sum();
        Map<String, List<Place>> bySite = all.stream()
                .filter(p -> p.calls() && !p.own().isEmpty())
                .collect(Collectors.groupingBy(p -> p.work() + " " + p.method(), TreeMap::new, Collectors.toList()));
        return bySite.values().stream()
                .max(Comparator.comparingDouble(WaitGraph::count))
                .map(of -> new Calls(
                        of.getFirst().method(),
                        of.getFirst().work(),
                        of.getFirst().name(),
                        count(of) / sum,
                        count(of),
                        count(of.stream().filter(Place::lazy).toList()) / sum,
                        of.getFirst().virtual()));
    }

    /** What a part of the threads at work do, over all moments, of some kinds of what threads do; empty if none does. */
    public Optional<Calls> doing(Set<Wait> kinds) {
        List<Place> all = moments.stream().flatMap(m -> m.work().stream()).toList();
        List<Place> of = all.stream().filter(p -> kinds.contains(p.work())).toList();
        Map<String, List<Place>> bySite =
                of.stream().collect(Collectors.groupingBy(Place::method, TreeMap::new, Collectors.toList()));
        return bySite.values().stream()
                .max(Comparator.comparingDouble(WaitGraph::count))
                .map(List::getFirst)
                .map(p -> new Calls(
                        p.method(),
                        p.work(),
                        p.name(),
                        count(of) / all.stream().mapToDouble(Place::count).sum(),
                        count(of),
                        0,
                        p.virtual()));
    }

    /**
     * The application's innermost method, with its caller, in which most of the threads at work are, whatever they do there; empty unless more
     * than one is at two moments.
     *
     * @param least the part of the threads at work that have to be in it, 0 to 1
     */
    public Optional<String> together(double least) {
        Map<String, Double> sums = new TreeMap<>();
        Map<String, Integer> often = new HashMap<>();
        double all = 0;
        for (MomentGraph m : moments) {
            all += m.atWork();
            Map<String, Double> now = m.work().stream()
                    .filter(p -> !p.own().isEmpty())
                    .collect(Collectors.groupingBy(Place::where, Collectors.summingDouble(Place::count)));
            now.forEach((where, n) -> {
                sums.merge(where, n, Double::sum);
                if (n >= ENOUGH) {
                    often.merge(where, 1, Integer::sum);
                }
            });
        }
        double bound = least * all;
        return sums.entrySet().stream()
                .filter(e -> e.getValue() >= bound && often.getOrDefault(e.getKey(), 0) >= ENOUGH)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /**
     * Threads at work that run in one method of the application, or in what it calls.
     *
     * @param threads mean of the moments
     * @param of all those at work, event loops included
     */
    public record Running(String method, double threads, double of) {}

    /**
     * The innermost method of the application in or below which a part of the threads at work run at each moment; empty unless there are two
     * moments, and such a method.
     *
     * @param least that part, 0 to 1
     */
    public Optional<Running> runningIn(double least) {
        if (looks < ENOUGH) {
            return Optional.empty();
        }
        var sums = new TreeMap<String, Double>();
        var depths = new HashMap<String, Double>();
        var often = new HashMap<String, Integer>();
        for (MomentGraph m : moments) {
            var now = new HashMap<String, Double>();
            for (Place p : m.serving()) {
                List<String> methods = p.doing() == Wait.RUN
                        ? p.own().stream().map(Place.Frame::method).distinct().toList()
                        : List.of();
                for (int i = 0; i < methods.size(); i++) {
                    now.merge(methods.get(i), (double) p.count(), Double::sum);
                    depths.merge(methods.get(i), (double) i * p.count(), Double::sum);
                }
            }
            double bound = least * count(m.serving());
            now.forEach((method, n) -> {
                sums.merge(method, n, Double::sum);
                if (n >= bound) {
                    often.merge(method, 1, Integer::sum);
                }
            });
        }
        // callers have all that what they call has: the innermost has the fewest, and is the least deep
        return sums.entrySet().stream()
                .filter(e -> often.getOrDefault(e.getKey(), 0) == looks)
                .min(Map.Entry.<String, Double>comparingByValue()
                        .thenComparingDouble(e -> depths.getOrDefault(e.getKey(), 0.0)))
                .map(e -> new Running(
                        e.getKey(),
                        e.getValue() / looks,
                        moments.stream().mapToDouble(m -> count(m.serving())).sum() / looks));
    }

    private static double count(List<Place> of) {
        return of.stream().mapToDouble(Place::count).sum();
    }

    /** All ends of chains, those of most threads first. */
    public List<Root> roots() {
        return roots;
    }

    /** How many moments there were. */
    public int looks() {
        return looks;
    }

    /** Threads at work, mean of the moments. */
    public double atWork() {
        return atWork;
    }

    /** Whether threads may be missing in the moments: then kinds that need all of them are not among the ends. */
    public boolean partial() {
        return partial;
    }

    private static Root sum(List<Claim> claims, int looks) {
        Claim first = claims.getFirst();
        String site = most(claims, Claim::site);
        // what the holder does is said of those at the site and the end that were seen most
        List<Claim> same = claims.stream().filter(c -> c.site().equals(site)).toList();
        Claim one = most(same, c -> c.does() + " " + c.where(), same);
        int moments = (int) claims.stream().map(Claim::moment).distinct().count();
        return new Root(
                first.kind(),
                first.subject(),
                site,
                one.does(),
                one.where(),
                one.calls(),
                perMoment(claims, Claim::waiting, looks),
                Math.min(1, perMoment(claims, Claim::share, looks)),
                mean(claims, Claim::holders),
                claims.stream().mapToDouble(Claim::of).max().orElse(0),
                mean(claims, Claim::taken),
                moments,
                looks,
                mean(claims, Claim::still),
                most(claims, Claim::path));
    }

    private static double perMoment(List<Claim> claims, Function<Claim, Double> figure, int looks) {
        return claims.stream().mapToDouble(figure::apply).sum() / Math.max(1, looks);
    }

    private static double mean(List<Claim> claims, Function<Claim, Double> figure) {
        double weight = claims.stream().mapToDouble(Claim::waiting).sum();
        return weight <= 0
                ? 0
                : claims.stream()
                                .mapToDouble(c -> figure.apply(c) * c.waiting())
                                .sum()
                        / weight;
    }

    private static String most(List<Claim> claims, Function<Claim, String> what) {
        Map<String, Double> sums = claims.stream()
                .collect(Collectors.groupingBy(what, LinkedHashMap::new, Collectors.summingDouble(Claim::waiting)));
        return sums.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private static Claim most(List<Claim> claims, Function<Claim, String> what, List<Claim> among) {
        String key = most(claims, what);
        var of = new HashMap<String, Claim>();
        among.forEach(c -> of.putIfAbsent(what.apply(c), c));
        return Objects.requireNonNull(of.get(key), key);
    }
}
