package dev.fettle.insight.waits;

import dev.fettle.insight.waits.Place.Frame;
import dev.fettle.insight.waits.Root.Kind;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.ThreadsSeen.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who waits for whom at one moment. */
final class MomentGraph {
    /** The one that waits until all end, and those that free what no request holds any more. */
    private static final Set<String> NOT_SERVING = Set.of("main", "Finalizer", "Common-Cleaner");

    /** Part of the holders that wait for the same pool, over those that work, from which on it locks itself. */
    private static final double NOBODY_WORKS = 0.25;

    /** Part of a pool's threads that its server keeps, from which on that is said. */
    private static final double PART_TAKEN = Bounds.value("chain-taken");

    private final Moment moment;
    private final List<Place> places;
    private final List<Place> work;
    private final double atWork;
    private final boolean partial;
    private final double served;
    private final Map<String, Double> idle = new HashMap<>();
    private final Map<String, Double> all = new HashMap<>();

    MomentGraph(Moment moment, ThreadsSeen seen) {
        this.moment = moment;
        this.partial = seen.partial();
        this.places = moment.groups().stream().map(g -> new Place(g, seen)).toList();
        for (Place p : places) {
            all.merge(p.kind(), (double) p.count(), Double::sum);
            if (!p.busy()) {
                idle.merge(p.kind(), (double) p.count(), Double::sum);
            }
        }
        List<Place> busy = places.stream()
                .filter(p -> p.busy() && !NOT_SERVING.contains(p.kind()))
                .filter(p -> !p.own().isEmpty() || p.doing().onAnother())
                .toList();
        this.served =
                busy.stream().filter(Place::server).mapToDouble(Place::count).sum();
        List<Place> serving = busy.stream()
                .filter(p -> served > 0 ? p.server() : !p.own().isEmpty())
                .filter(p -> !p.loop())
                .toList();
        // without a server's frames whoever waits for another one is nearer to the client
        this.work = serving;
        this.atWork = serving.stream().mapToDouble(Place::count).sum();
    }

    /** The threads in whose stacks a method is that begins so, by the innermost method of the application. */
    Map<String, Double> in(List<String> begins) {
        return places.stream()
                .filter(p -> p.isIn(begins))
                .collect(Collectors.groupingBy(Place::method, Collectors.summingDouble(Place::count)));
    }

    /** The threads at work in the application's code, by its innermost method. */
    Map<String, Double> atWorkIn() {
        return work.stream()
                .filter(p -> !p.own().isEmpty())
                .collect(Collectors.groupingBy(Place::method, Collectors.summingDouble(Place::count)));
    }

    double atWork() {
        return atWork;
    }

    List<Place> work() {
        return work;
    }

    /** The threads at work, and the event loops that run something of the application. */
    List<Place> serving() {
        return Stream.concat(
                        work.stream(),
                        places.stream()
                                .filter(p -> p.loop() && p.busy() && !p.own().isEmpty()))
                .toList();
    }

    /** When it was, since measuring began. */
    double seconds() {
        return moment.millis() / 1e3;
    }

    List<Place> places() {
        return places;
    }

    /** The threads that run tasks of schedulers of which no thread is idle, those of each by the kind of thread. */
    Map<String, List<Place>> fullSchedulers() {
        return places.stream()
                .filter(p -> p.scheduled() && !p.own().isEmpty())
                .filter(p -> idle.getOrDefault(p.kind(), 0.0) <= 0)
                .collect(Collectors.groupingBy(Place::kind));
    }

    /** The threads at work that wait for no other thread. */
    List<Place> onTheirOwn() {
        return work.stream().filter(p -> !p.doing().onAnother()).toList();
    }

    List<Claim> claims() {
        var claims = new ArrayList<Claim>();
        for (Place p : work) {
            resolve(p, Set.of())
                    .or(() -> stuck(p))
                    .ifPresent(c -> claims.add(c.reachedBy(p.count(), share(p.count()), "", still(p))));
        }
        crews(claims);
        loops(claims);
        connections(claims);
        serverPools(claims);
        return claims;
    }

    private double share(double n) {
        return atWork > 0 ? n / atWork : 0;
    }

    private static double still(Place p) {
        return (double) p.group().still() / p.count();
    }

    /** The end of the chain that begins at a place; empty if it waits for no other thread. */
    private Optional<Claim> resolve(Place p, Set<Place> before) {
        if (p.stream() && p.doing() != Wait.RUN) {
            return Optional.of(stream(p));
        }
        if (!p.doing().onAnother()) {
            return Optional.empty();
        }
        var seen = new HashSet<>(before);
        seen.add(p);
        return switch (p.doing()) {
            case LOCK -> lock(p, seen);
            case LOG -> Optional.of(log(p, seen));
            case LOAD -> Optional.of(cache(p, seen));
            case POOL -> Optional.of(pool(p, seen));
            case ROUTE -> Optional.of(route(p, seen));
            case PERMIT -> Optional.of(lent(p, seen));
            default -> Optional.of(result(p, seen));
        };
    }

    /** Those that have not moved since the look before, in a call that leaves the JVM. */
    private Optional<Claim> stuck(Place p) {
        boolean outside = switch (p.doing()) {
            case REMOTE, FILE, PROCESS, LOOKUP, EXIT, CLIENT -> true;
            default -> false;
        };
        return outside && p.group().still() > 0
                ? Optional.of(claim(Kind.STUCK, p.method(), p, p.work(), p.where(), p.name()))
                : Optional.empty();
    }

    private Claim claim(Kind kind, String subject, Place waits, Wait does, String where, String calls) {
        return new Claim(
                kind,
                subject,
                waits.method(),
                does,
                where,
                calls,
                waits.count(),
                share(waits.count()),
                0,
                0,
                0,
                still(waits),
                "",
                moment.millis());
    }

    private static Claim with(Claim c, double holders, double of) {
        return new Claim(
                c.kind(),
                c.subject(),
                c.site(),
                c.does(),
                c.where(),
                c.calls(),
                c.waiting(),
                c.share(),
                holders,
                of,
                c.taken(),
                c.still(),
                c.path(),
                c.moment());
    }

    // ---- locks
    // ---------------------------------------------------------------------------------------------------------------------

    private Optional<Place> owner(Place p) {
        int at = p.group().owner();
        return at < 0 || at >= places.size() ? Optional.empty() : Optional.of(places.get(at));
    }

    private Optional<Claim> lock(Place p, Set<Place> seen) {
        Optional<Place> owner = owner(p).filter(Place::busy);
        String subject = p.waitsForClass().isEmpty() ? "a lock" : p.waitsForClass();
        if (owner.isEmpty()) {
            return Optional.of(likelyOwner(p)
                    .map(o -> claim(Kind.LOCK, subject, p, o.work(), o.where(), o.name()))
                    .orElseGet(() -> claim(Kind.LOCK, subject, p, Wait.OTHER, "", "")));
        }
        Place o = owner.get();
        if (seen.contains(o)) {
            return Optional.of(ring(p, o, seen));
        }
        Optional<Claim> next = resolve(o, seen);
        String through = "the lock " + subject + ", asked for in " + p.method() + " and held in " + o.method();
        return next.map(c -> c.reachedBy(p.count(), share(p.count()), through, still(p)))
                .or(() -> Optional.of(with(claim(Kind.LOCK, subject, p, o.work(), o.where(), o.name()), 1, 1)));
    }

    /**
     * Who may hold a lock whose owner the JVM does not tell, as those of virtual threads and of readers: whoever is in code after it, or else in
     * the class that asks for it, and waits for something else.
     */
    private Optional<Place> likelyOwner(Place p) {
        List<Place> waiting = places.stream()
                .filter(w -> w.group().waitsFor().equals(p.group().waitsFor()))
                .toList();
        List<Place> inside = inside(p, waiting);
        if (!inside.isEmpty()) {
            return Optional.of(most(inside));
        }
        Set<String> type = asks(p).map(f -> Set.of(f.type())).orElse(Set.of());
        List<Place> near = places.stream()
                .filter(o -> o.busy() && o.doing() != Wait.LOCK && !waiting.contains(o))
                .filter(o -> o.own().stream().anyMatch(f -> type.contains(f.type())))
                .toList();
        return near.isEmpty() ? Optional.empty() : Optional.of(most(near));
    }

    /** A ring, named by all that those in it wait for, wherever one comes to it. */
    private Claim ring(Place p, Place holder, Set<Place> seen) {
        String all = seen.stream()
                .map(x -> x.doing() == Wait.LOCK ? "the lock " + x.waitsForClass() : x.name())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
        return claim(Kind.RING, all, p, holder.doing(), holder.method(), "");
    }

    /** A log's lock, or the queue in front of its writer. */
    private Claim log(Place p, Set<Place> seen) {
        Optional<Place> holder = owner(p).filter(Place::busy).or(() -> drains());
        return holder.filter(h -> !seen.contains(h))
                .map(h -> with(claim(Kind.LOG, p.name(), p, h.work(), h.where(), h.name()), 1, 1))
                .orElseGet(() -> claim(Kind.LOG, p.name(), p, Wait.OTHER, "", ""));
    }

    private Optional<Place> drains() {
        return places.stream()
                .filter(Place::busy)
                .filter(p -> FrameTable.get().named("log-thread", p.kind()).isPresent())
                .max(Comparator.comparingInt(Place::count));
    }

    private Claim cache(Place p, Set<Place> seen) {
        Optional<Place> loader = owner(p).filter(Place::busy)
                .or(() -> inside(p, List.of(p)).stream().filter(Place::busy).findFirst());
        if (loader.filter(seen::contains).isPresent()) {
            return ring(p, loader.get(), seen);
        }
        return loader.map(h -> resolve(h, seen)
                        .map(c -> c.reachedBy(p.count(), share(p.count()), p.name() + " in " + p.method(), still(p)))
                        .orElseGet(() -> with(claim(Kind.CACHE, p.name(), p, h.work(), h.where(), h.name()), 1, 1)))
                .orElseGet(() -> claim(Kind.CACHE, p.name(), p, Wait.OTHER, "", ""));
    }

    // ---- what is lent
    // --------------------------------------------------------------------------------------------------------------

    /** Those who have what others wait for, by their stacks: they are in code that its caller calls after it. */
    private List<Place> inside(Place waits, List<Place> waiting) {
        for (Frame f : waits.own()) {
            List<Place> here = places.stream()
                    .filter(p -> p.busy() && !waiting.contains(p))
                    .filter(p -> p.own().stream().anyMatch(g -> after(g, f)))
                    .toList();
            if (!here.isEmpty()) {
                return here;
            }
        }
        return List.of();
    }

    /** Whether a thread is in the same method, at the same line or a later one. */
    private static boolean after(Frame g, Frame f) {
        return g.method().equals(f.method()) && (g.line() < 0 || f.line() < 0 || g.line() >= f.line());
    }

    /** Those among the waiters who ask again within a method, further down, in which others ask for the first. */
    private static List<Place> again(List<Place> waiting) {
        var asked = new ArrayList<Frame>();
        waiting.forEach(w -> asks(w).ifPresent(asked::add));
        return waiting.stream()
                .filter(w -> w.own().stream()
                        .anyMatch(g -> asked.stream()
                                .anyMatch(f -> g.method().equals(f.method()) && f.line() >= 0 && g.line() > f.line())))
                .toList();
    }

    /** Where it asks: the innermost of the application's methods. */
    private static Optional<Frame> asks(Place p) {
        return p.own().stream().findFirst();
    }

    private static double sum(List<Place> of) {
        return of.stream().mapToDouble(Place::count).sum();
    }

    private List<Place> waitingFor(Wait wait, String name) {
        return places.stream()
                .filter(p -> p.doing() == wait && p.name().equals(name))
                .toList();
    }

    private record Held(List<Place> working, List<Place> again) {}

    private Held held(List<Place> waiting) {
        var working = new LinkedHashMap<Place, Boolean>();
        // a wrapper that all ask in is where none of them has it yet: who works is found from each of its callers
        waiting.forEach(w -> inside(w, waiting).forEach(p -> working.put(p, true)));
        return new Held(List.copyOf(working.keySet()), again(waiting));
    }

    private Claim pool(Place p, Set<Place> seen) {
        String library = p.name();
        List<Place> waiting = waitingFor(Wait.POOL, library);
        Held held = held(waiting);
        String subject = poolNames().size() == 1 ? "'" + poolNames().getFirst() + "' (" + library + ")" : library;
        double nested = sum(held.again());
        List<Place> working = held.working().stream()
                .filter(h -> h.query() || !h.doing().equals(Wait.POOL))
                .toList();
        double inUse = sum(working);
        if (nested > 0 && inUse <= NOBODY_WORKS * nested) {
            Place one = most(held.again());
            return with(claim(Kind.POOL_OF_ITSELF, subject, p, Wait.POOL, one.method(), library), nested, 0);
        }
        return lentBy(Kind.POOL, Kind.POOL_LOST, subject, p, working, seen);
    }

    private List<String> poolNames() {
        return places.stream()
                .flatMap(p -> FrameTable.get().named("pool-name", p.kind()).stream())
                .distinct()
                .toList();
    }

    private Claim route(Place p, Set<Place> seen) {
        List<Place> waiting = waitingFor(Wait.ROUTE, p.name());
        return lentBy(
                Kind.CLIENT_POOL, Kind.CLIENT_POOL, p.name(), p, held(waiting).working(), seen);
    }

    private Claim lent(Place p, Set<Place> seen) {
        List<Place> waiting = waitingFor(Wait.PERMIT, p.name()).stream()
                .filter(w -> w.method().equals(p.method()))
                .toList();
        return lentBy(
                Kind.PERMITS, Kind.PERMITS_LOST, p.name(), p, held(waiting).working(), seen);
    }

    /** What those do who have what is lent: they may wait for something else, which is the end then. */
    private Claim lentBy(Kind kind, Kind lost, String subject, Place p, List<Place> working, Set<Place> seen) {
        if (working.isEmpty()) {
            return claim(lost, subject, p, Wait.OTHER, "", "");
        }
        Place one = most(working);
        Claim here = with(claim(kind, subject, p, one.work(), one.where(), one.name()), sum(working), 0);
        if (!one.doing().onAnother()) {
            return here;
        }
        if (seen.contains(one)) {
            return ring(p, one, seen);
        }
        String through = subject + ", asked for in " + p.method() + " and held in " + one.method();
        return resolve(one, seen)
                .filter(c -> c.kind() != Kind.NOBODY)
                .map(c -> c.reachedBy(p.count(), share(p.count()), through, still(p)))
                .orElse(here);
    }

    /** A place of those at which most are. */
    private static Place most(List<Place> of) {
        Function<Place, String> what = p -> p.work() + " " + p.method();
        Map<String, Double> sums = of.stream()
                .collect(Collectors.groupingBy(what, LinkedHashMap::new, Collectors.summingDouble(Place::count)));
        String key = sums.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return of.stream().filter(p -> what.apply(p).equals(key)).findFirst().orElseThrow();
    }

    // ---- results of other threads
    // ----------------------------------------------------------------------------------------------------

    /** Threads of one kind that work for those who wait, by what their stacks have in common. */
    private Optional<List<Place>> completers(Place p) {
        Set<String> types = p.ownTypes();
        Map<String, List<Place>> byKind = places.stream()
                .filter(c -> c.busy() && !c.equals(p) && !c.loop())
                .filter(c -> !c.kind().equals(p.kind()) && !c.server())
                .filter(c -> c.worker() || !c.own().isEmpty())
                .collect(Collectors.groupingBy(Place::kind, LinkedHashMap::new, Collectors.toList()));
        return byKind.values().stream()
                .filter(k -> near(k, types) > 0)
                .max(Comparator.<List<Place>>comparingDouble(k -> near(k, types))
                        .thenComparingDouble(MomentGraph::sum));
    }

    /** 2 if they are in a class of those who wait, 1 if in a package of theirs. */
    private static double near(List<Place> kind, Set<String> types) {
        Set<String> packages = types.stream().map(MomentGraph::inPackage).collect(Collectors.toSet());
        boolean same = kind.stream().flatMap(p -> p.ownTypes().stream()).anyMatch(types::contains);
        boolean near = kind.stream()
                .flatMap(p -> p.ownTypes().stream())
                .map(MomentGraph::inPackage)
                .anyMatch(packages::contains);
        return same ? 2 : near ? 1 : 0;
    }

    private static String inPackage(String type) {
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }

    private boolean idleLeft(String kind) {
        return idle.getOrDefault(kind, 0.0) > 0;
    }

    private Claim result(Place p, Set<Place> seen) {
        Optional<List<Place>> by = completers(p).filter(k -> k.stream().noneMatch(seen::contains));
        if (by.isPresent()) {
            return workedBy(p, by.get(), seen);
        }
        if (ofItself(p)) {
            double threads = all.getOrDefault(p.kind(), 0.0);
            return with(claim(Kind.EXECUTOR_OF_ITSELF, p.kind(), p, p.doing(), p.method(), p.name()), threads, threads);
        }
        List<Place> same = places.stream()
                .filter(w -> w.doing() == p.doing() && w.method().equals(p.method()))
                .toList();
        List<Place> working = held(same).working().stream()
                .filter(h -> h.doing() != p.doing())
                .toList();
        // what is lent from a queue, or with a signal, is given back by those who are in the code after it
        boolean lent = (p.doing() == Wait.QUEUE || p.doing() == Wait.SIGNAL) && !working.isEmpty();
        String subject = p.query() ? "a lock of the database (rows or a table)" : p.name();
        return lent
                ? lentBy(Kind.PERMITS, Kind.NOBODY, subject, p, working, seen)
                : claim(Kind.NOBODY, p.name().isEmpty() ? "something" : p.name(), p, p.doing(), "", "");
    }

    private Claim workedBy(Place p, List<Place> by, Set<Place> seen) {
        Place one = most(by);
        String kind = one.kind();
        double threads = all.getOrDefault(kind, sum(by));
        boolean full = !partial && !idleLeft(kind) && one.worker(); // idle ones may be missing
        if (full
                && by.stream()
                        .allMatch(c -> isResult(c.doing()) && completers(c).isEmpty())) {
            return with(
                    claim(Kind.EXECUTOR_OF_ITSELF, kind, p, one.doing(), one.where(), one.name()), threads, threads);
        }
        Claim here = with(
                claim(full ? Kind.EXECUTOR : Kind.WORKER, kind, p, one.work(), one.where(), one.name()),
                sum(by),
                threads);
        if (!one.doing().onAnother()) {
            return here;
        }
        String through = "the threads " + kind + ", waited for in " + p.method();
        return resolve(one, seen)
                .filter(c -> c.kind() != Kind.NOBODY)
                .map(c -> c.reachedBy(p.count(), share(p.count()), through, still(p)))
                .orElse(here);
    }

    private static boolean isResult(Wait w) {
        return w == Wait.FUTURE || w == Wait.QUEUE || w == Wait.SIGNAL || w == Wait.FULL_QUEUE;
    }

    /** Whether all threads of its own pool wait for results: then nobody is left to bring them about. */
    private boolean ofItself(Place p) {
        return p.doing() == Wait.FUTURE
                && p.worker()
                && !p.server()
                && !idleLeft(p.kind())
                && places.stream().filter(o -> o.kind().equals(p.kind())).allMatch(o -> isResult(o.doing()));
    }

    /**
     * Pools of which no thread is idle, and all wait; its holders are these threads, and those of a server that are at work. A request with which
     * one of the server's waits is known by that, and its chain is followed; where there are many more requests, as with handlers that give
     * their work away and return, these can only wait in such a pool's queue.
     */
    private void crews(List<Claim> claims) {
        places.stream()
                .filter(p -> p.busy() && p.worker() && !p.server() && !p.loop() && !p.virtual() && !p.stream())
                .filter(p -> !p.own().isEmpty()
                        || p.doing() == Wait.REMOTE) // a client's dispatcher has frames of its library only
                .collect(Collectors.groupingBy(Place::kind, LinkedHashMap::new, Collectors.toList()))
                .forEach((kind, crew) -> {
                    Place one = most(crew);
                    double n = sum(crew);
                    boolean whole = n >= all.getOrDefault(kind, n) && !idleLeft(kind);
                    boolean wait = crew.stream()
                            .noneMatch(p -> p.doing() == Wait.RUN || p.doing().onAnother());
                    // a thread that serves moves on; a batch that sleeps does not
                    boolean moves = crew.stream().anyMatch(p -> p.group().still() < p.count());
                    if (whole && wait && moves) {
                        Claim c = with(claim(Kind.CREW, kind, one, one.work(), one.where(), one.name()), n + served, n);
                        claims.add(c.reachedBy(n, n / Math.max(n, atWork), "", still(one)));
                    }
                });
    }

    private Claim stream(Place p) {
        double threads = all.entrySet().stream()
                .filter(e -> e.getKey().startsWith("ForkJoinPool.commonPool"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        return with(claim(Kind.STREAM, "ForkJoinPool.commonPool", p, p.work(), p.where(), p.name()), threads, threads);
    }

    // ---- servers
    // ---------------------------------------------------------------------------------------------------------------------

    private void loops(List<Claim> claims) {
        Map<String, List<Place>> byKind = places.stream()
                .filter(Place::loop)
                .collect(Collectors.groupingBy(Place::kind, LinkedHashMap::new, Collectors.toList()));
        byKind.forEach((kind, loops) -> {
            List<Place> blocked = loops.stream()
                    .filter(p -> p.busy() && p.doing() != Wait.RUN && p.doing() != Wait.CLIENT)
                    .toList();
            if (blocked.isEmpty()) {
                return;
            }
            double n = sum(loops);
            for (Place p : blocked) {
                Optional<Claim> next = resolve(p, Set.of());
                Wait does = next.map(Claim::does)
                        .filter(_ -> next.get().kind() != Kind.NOBODY)
                        .orElse(p.work());
                Claim c = claim(Kind.LOOP, kind + " (" + p.loopName() + ")", p, does, p.method(), p.name());
                String path = next.filter(x -> x.kind() != Kind.NOBODY)
                        .map(x -> x.subject() + (x.where().isEmpty() ? "" : ", in " + x.where()))
                        .orElse("");
                claims.add(with(c, p.count(), n).reachedBy(p.count(), p.count() / n, path, still(p)));
            }
        });
    }

    private void connections(List<Claim> claims) {
        places.stream()
                .filter(p -> p.doing() == Wait.LIMIT)
                .findFirst()
                .ifPresent(p -> claims.add(new Claim(
                        Kind.CONNECTIONS,
                        p.name(),
                        p.kind(),
                        Wait.LIMIT,
                        "",
                        "",
                        1,
                        1,
                        0,
                        0,
                        0,
                        still(p),
                        "",
                        moment.millis())));
    }

    /** A server's pool of which its acceptors, selectors and reserved threads leave little, and all of that is busy. */
    private void serverPools(List<Claim> claims) {
        Set<String> pools =
                work.stream().filter(Place::server).map(p -> pool(p.kind())).collect(Collectors.toSet());
        for (String pool : pools) {
            List<Place> own =
                    places.stream().filter(p -> p.kind().startsWith(pool)).toList();
            List<Place> busy = own.stream().filter(Place::busy).toList();
            // of those that wait for a task there is no frame of the server on the stack but the pool's own
            boolean left = own.stream().anyMatch(p -> p.doing() == Wait.IDLE && !p.server());
            double total = sum(own);
            double taken = total - sum(busy);
            if (left || busy.isEmpty() || taken < PART_TAKEN * total) {
                continue;
            }
            Place one = most(busy);
            Claim c = claim(Kind.SERVER_POOL, pool + "*", one, one.work(), one.where(), one.name());
            claims.add(new Claim(
                    c.kind(),
                    c.subject(),
                    c.site(),
                    c.does(),
                    c.where(),
                    c.calls(),
                    sum(busy),
                    share(sum(busy)),
                    sum(busy),
                    total,
                    taken,
                    c.still(),
                    "",
                    c.moment()));
        }
    }

    /** The pool that threads of a kind belong to: Jetty renames those that accept. */
    private static String pool(String kind) {
        return kind.endsWith("*") ? kind.substring(0, kind.length() - 1) : kind;
    }
}
