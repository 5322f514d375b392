package dev.fettle.bench.tuner;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A surface drawn at random. Drawn surfaces are held out: no bound of the search was set with them, and none may be. Whoever changes the
 * search after a look at some of them must judge it on new ones, of another seed.
 *
 * <p>Drawn are, evenly on a logarithmic scale: the pool by default (8 to 250 threads), how long a request holds a thread (2 to 200 ms), the
 * clients (50 to 600), and the CPU's ceiling (0.4 to 8 times what the default's pool and clients ask for), so that the pool is the limit at
 * the default of some, the CPU or the clients of others. The knee between the limits has an exponent of 3 to 16. A third has contention
 * and coherence; in a fifth, services behind the server take no more than 1 to 4 times as many requests as the default has threads.
 *
 * <p>Each value of the collector, no-delay and keep-alive but the default's gives -15 to +15 %, or in three of five cases, as most real
 * knobs do, less than 1 %. A quarter has a hump or a hollow over the backlog, a quarter a step. In a third two values act together: they
 * give 10 to 30 % and alone nothing or less, or each gives 5 to 15 % and both nothing. A quarter has a region in which the server dies:
 * many threads, a long backlog, or two values together. An eighth is flat: nothing gives anything, and only fewer threads than the
 * default's may take something.
 */
final class DrawnSurface implements FormulaSurface {
    private static final List<Term> CATEGORIES = List.of(
            new Term("jvm.gc", "serial"),
            new Term("jvm.gc", "parallel"),
            new Term("tcp.nodelay", "false"),
            new Term("keepalive.requests", "1000"),
            new Term("keepalive.requests", "-1"));

    private final long seed;
    private final int number;
    private final Physics physics;
    private final Map<Term, Double> effects = new LinkedHashMap<>();
    private final Optional<Hump> hump;
    private final Optional<Pair> pair;
    /** Where all of these hold, the server dies; empty: nowhere. */
    private final List<Term> deadly;

    private final List<String> traits = new ArrayList<>(List.of("drawn"));

    /** A value of a knob; of a number, at least that. */
    private record Term(String knob, String value) {
        boolean holds(Setting s, Physics physics) {
            return switch (knob) {
                case "threads.max" -> physics.threads(s) >= Long.parseLong(value);
                case "backlog" -> backlog(s) >= Long.parseLong(value);
                default -> FormulaSurface.value(s, knob).equals(value);
            };
        }
    }

    /** Two values: what one of them gives alone, and what both give. */
    private record Pair(Term one, Term two, double alone, double both) {}

    /** What a backlog of this length gives, and how far around it, as a logarithm. */
    private record Hump(double at, double gives, double width) {}

    /**
     * Draws one.
     *
     * @param seed of all that are drawn together
     * @param number among them, from 1
     */
    DrawnSurface(long seed, int number) {
        this.seed = seed;
        this.number = number;
        var random = new SplittableRandom(seed * 1_000_003 + number);
        boolean flat = random.nextDouble() < 1 / 8.0;
        this.physics = physics(random, flat);
        for (Term t : CATEGORIES) {
            double most = random.nextDouble() < 0.6 ? 0.01 : 0.15;
            effects.put(t, 1 + uniform(random, -most, most));
        }
        double backlog = random.nextDouble();
        var some = new Hump(
                uniform(random, Math.log(150), Math.log(2500)), uniform(random, -0.15, 0.15), uniform(random, 0.4, 1));
        this.hump = !flat && backlog < 0.25 ? Optional.of(some) : Optional.empty();
        if (backlog >= 0.25 && backlog < 0.5) {
            effects.put(new Term("backlog", Long.toString(Math.round(Math.exp(some.at())))), 1 + some.gives());
        }
        this.pair = random.nextDouble() < 1 / 3.0 && !flat ? Optional.of(pair(random)) : Optional.empty();
        this.deadly = random.nextDouble() < 0.25 && !flat ? deadly(random) : List.of();
        if (flat) {
            effects.clear();
            traits.add("flat");
        } else {
            traits.add(limit());
            trait(physics.places() < physics.clients(), "services");
            trait(physics.contention() > 0, "contention");
            trait(backlog < 0.5, "backlog");
            trait(pair.isPresent(), "pair");
            trait(!deadly.isEmpty(), "dies");
        }
    }

    private static Physics physics(SplittableRandom random, boolean flat) {
        int threads = (int) Math.round(logarithmic(random, 8, 250));
        double hold = logarithmic(random, 0.002, 0.2);
        int clients = (int) Math.round(logarithmic(random, 50, 600));
        double ceiling = Math.min(threads, clients) / hold * logarithmic(random, 0.4, 8);
        double knee = logarithmic(random, 3, 16);
        boolean crowded = random.nextDouble() < 1 / 3.0 && !flat;
        double contention = logarithmic(random, 1e-4, 3e-3);
        double coherence = logarithmic(random, 1e-7, 1e-5);
        boolean behind = random.nextDouble() < 0.2;
        int places = (int) Math.round(threads * logarithmic(random, 1, 4));
        return new Physics(
                threads,
                hold,
                ceiling,
                clients,
                flat ? threads : behind ? places : Integer.MAX_VALUE,
                knee,
                crowded ? contention : 0,
                crowded ? coherence : 0);
    }

    private static Pair pair(SplittableRandom random) {
        List<Term> two = two(random);
        return random.nextBoolean()
                ? new Pair(two.get(0), two.get(1), uniform(random, 0.92, 1), uniform(random, 1.1, 1.3))
                : new Pair(two.get(0), two.get(1), uniform(random, 1.05, 1.15), uniform(random, 0.95, 1));
    }

    private static List<Term> deadly(SplittableRandom random) {
        if (random.nextBoolean()) {
            return two(random);
        }
        return List.of(
                random.nextBoolean() ? number(random, "threads.max", 300, 900) : number(random, "backlog", 400, 3000));
    }

    /** Values of two knobs, none of them the default's. */
    private static List<Term> two(SplittableRandom random) {
        var all = new ArrayList<>(CATEGORIES);
        all.add(number(random, "backlog", 150, 2500));
        Term one = all.get(random.nextInt(all.size()));
        all.removeIf(t -> t.knob().equals(one.knob()));
        return List.of(one, all.get(random.nextInt(all.size())));
    }

    private static Term number(SplittableRandom random, String knob, int from, int to) {
        return new Term(knob, Long.toString(Math.round(logarithmic(random, from, to))));
    }

    private static double logarithmic(SplittableRandom random, double from, double to) {
        return from * Math.pow(to / from, random.nextDouble());
    }

    private static double uniform(SplittableRandom random, double from, double to) {
        return from + (to - from) * random.nextDouble();
    }

    /** Surfaces of a seed: its first ones, so that more of them are the same and some. */
    static List<DrawnSurface> first(int count, long seed) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> new DrawnSurface(seed, i))
                .toList();
    }

    /** What is full at the default. */
    private String limit() {
        int taken = Math.min(physics.threads(), physics.places());
        boolean cpu = physics.ceiling() <= Math.min(taken, physics.clients()) / physics.hold();
        return cpu ? "cpu" : physics.clients() <= taken ? "clients" : "pool";
    }

    private void trait(boolean has, String name) {
        if (has) {
            traits.add(name);
        }
    }

    private static long backlog(Setting s) {
        return Long.parseLong(FormulaSurface.value(s, "backlog"));
    }

    @Override
    public OptionalFigure throughput(Setting s) {
        if (!deadly.isEmpty() && deadly.stream().allMatch(t -> t.holds(s, physics))) {
            return OptionalFigure.empty();
        }
        int size = physics.threads(s);
        double x = physics.pool(size) * physics.crowd(Math.min(size, physics.clients()));
        for (Map.Entry<Term, Double> e : effects.entrySet()) {
            x *= e.getKey().holds(s, physics) ? e.getValue() : 1;
        }
        if (hump.isPresent()) {
            double off = (Math.log(backlog(s)) - hump.get().at()) / hump.get().width();
            x *= 1 + hump.get().gives() * Math.exp(-off * off);
        }
        if (pair.isPresent()) {
            Pair p = pair.get();
            boolean one = p.one().holds(s, physics);
            boolean two = p.two().holds(s, physics);
            x *= one && two ? p.both() : one || two ? p.alone() : 1;
        }
        return OptionalFigure.of(x);
    }

    @Override
    public Physics physics() {
        return physics;
    }

    @Override
    public long number() {
        return 1000 * seed + number;
    }

    @Override
    public String id() {
        return String.format(Locale.ROOT, "drawn-%d-%02d", seed, number);
    }

    @Override
    public List<String> traits() {
        return List.copyOf(traits);
    }
}
