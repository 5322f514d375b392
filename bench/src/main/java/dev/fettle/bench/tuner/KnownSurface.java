package dev.fettle.bench.tuner;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Locale;

/** The formulas that the search was developed on, one for each thing that it must find. */
enum KnownSurface implements FormulaSurface {
    /** The pool alone. */
    POOL,
    /** The last of the knobs gives 15 % alone. */
    LAST,
    /** Two knobs give 8 % each. */
    TWO,
    /** Two knobs give 25 % together, and take 8 % each alone. */
    TOGETHER,
    /** A number that must be large enough. */
    CLIFF,
    /** A number with a best value. */
    PEAK,
    /** Threads cost each other (the law of scalability), so that many are worse than the best number. */
    RETROGRADE,
    /** A gain beside a region in which the server dies. */
    FAILS;

    /** 25 threads by default, each held for 50 ms; 4,400 a second are what the CPU gives. */
    private static final Physics PHYSICS = new Physics(25, 0.05, 4400, 300, Integer.MAX_VALUE, 8, 0, 0.000_005);

    private double factor(long backlog, String gc, String nodelay, String keepAlive) {
        return switch (this) {
            case POOL -> 1;
            case LAST -> keepAlive.equals("1000") ? 1.15 : 1;
            case TWO -> (gc.equals("parallel") ? 1.08 : 1) * (nodelay.equals("false") ? 1.08 : 1);
            case TOGETHER -> {
                boolean a = gc.equals("serial");
                boolean b = keepAlive.equals("1000");
                yield a && b ? 1.25 : a || b ? 0.92 : 1;
            }
            case CLIFF -> backlog >= 600 ? 1.2 : 1;
            case PEAK -> {
                double off = Math.log(backlog / 700.0) / 0.6;
                yield 1 + 0.2 * Math.exp(-off * off);
            }
            case RETROGRADE -> gc.equals("parallel") ? 1.05 : 1;
            case FAILS ->
                backlog > 1500 || nodelay.equals("false") && gc.equals("serial") ? 0 : gc.equals("parallel") ? 1.15 : 1;
        };
    }

    @Override
    public OptionalFigure throughput(Setting s) {
        double f = factor(
                Long.parseLong(FormulaSurface.value(s, "backlog")),
                FormulaSurface.value(s, "jvm.gc"),
                FormulaSurface.value(s, "tcp.nodelay"),
                FormulaSurface.value(s, "keepalive.requests"));
        int threads = PHYSICS.threads(s);
        double crowd = this == RETROGRADE ? PHYSICS.crowd(threads) : 1;
        return f == 0 ? OptionalFigure.empty() : OptionalFigure.of(f * PHYSICS.pool(threads) * crowd);
    }

    @Override
    public Physics physics() {
        return PHYSICS;
    }

    @Override
    public long number() {
        return ordinal();
    }

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<String> traits() {
        return List.of("known");
    }
}
