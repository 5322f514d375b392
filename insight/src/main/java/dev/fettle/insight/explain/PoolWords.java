package dev.fettle.insight.explain;

import dev.fettle.insight.explain.PoolContrast.Size;
import dev.fettle.model.text.Format;
import java.util.Optional;

/** What is said of a pool of worker threads as a limit, by what other sizes of it gave. */
public final class PoolWords {
    /** A pool is clearly smaller if another has this many times its threads. */
    private static final double CLEARLY_MORE = 1.1;

    private PoolWords() {}

    /** Where all threads are busy: what the other sizes say about whether the pool is the limit. */
    public static String full(OperatingPoint c, Optional<PoolContrast> pool) {
        double m = c.usable().orElse(0);
        double hold = c.holding().orElse(0);
        boolean single = (int) m == 1;
        String busy = (single ? "The one worker thread is" : "All " + (int) m + " worker threads are")
                + " busy on average"
                + (c.holding().isPresent() ? " and each request holds its thread for " + Format.seconds(hold) : "")
                + (c.otherWork() ? ", but not with this load alone (" + OperatingPoint.OTHER_WORK + ")" : "");
        double line =
                c.offered().isPresent() || c.otherWork() ? 0 : Math.max(0, c.atOnce() - m - c.throughput() * c.think());
        String waiting = line >= 1
                ? "; " + (int) line + " of " + c.atOnce() + " clients " + ((int) line == 1 ? "waits" : "wait")
                        + " in line."
                : ".";
        Optional<Size> by = pool.flatMap(PoolContrast::by);
        return switch (PoolContrast.decided(pool)) {
            case LARGER_GAVE_MORE ->
                busy
                        + (hold <= 0
                                ? ""
                                : (single ? ", so it gives " : ", so they give ") + (int) m + " / "
                                        + Format.seconds(hold) + " = " + Format.number(m / hold) + " requests/s"
                                        + (pool.orElseThrow().own().trials() > 1 ? " in this trial" : ""))
                        + waiting
                        + " More threads did give more: " + gave(by.orElseThrow()) + " instead of "
                        + own(pool.get()) + ", so the pool was the limit.";
            case SMALLER_GAVE_LESS ->
                busy + waiting + " Up to here throughput grew with the pool: " + gave(by.orElseThrow()) + ", "
                        + own(pool.orElseThrow()) + ". Whether it goes on with more threads "
                        + pool.get().close().stream()
                                .filter(s -> s.threads() > pool.get().own().threads())
                                .findFirst()
                                .map(s -> "is open: none of the sizes tried had enough more of them busy (next is "
                                        + gave(s) + ").")
                                .orElse("was not tried.");
            case OPEN, SAME ->
                busy + waiting
                        + " That is consistent with a pool that is too small, and with a limit behind it that the"
                        + " threads wait for: the other sizes tried (next is "
                        + by.map(PoolWords::gave).orElse("none")
                        + " against "
                        + Format.number(pool.map(p -> p.own().throughput()).orElse(c.throughput()))
                        + "/s" + pool.map(p -> mean(p.own())).orElse("") + ") do not distinguish them.";
            case NONE ->
                busy + waiting
                        + " That is consistent with a pool that is too small, and with a limit behind it that the"
                        + " threads wait for: "
                        + pool.flatMap(p -> p.close().stream().findFirst())
                                .map(s -> "none of the other sizes tried had enough more or fewer threads busy to"
                                        + " distinguish them (next is " + gave(s) + ").")
                                .orElse("no other size was tried with this setting, which would distinguish them.");
        };
    }

    private static String gave(Size s) {
        return Format.number(s.throughput()) + "/s" + mean(s) + " with " + s.threads() + " threads";
    }

    private static String own(PoolContrast pool) {
        return Format.number(pool.own().throughput()) + "/s" + mean(pool.own()) + " with "
                + pool.own().threads();
    }

    /** Said of a figure that is not one trial's, or that is not compared as it was measured. */
    private static String mean(Size s) {
        String mean = s.trials() > 1 ? "mean of " + s.trials() : "";
        String unmoved = PoolContrast.unmoved(s.throughput(), s.score());
        String both = mean + (mean.isEmpty() || unmoved.isEmpty() ? "" : "; ") + unmoved;
        return both.isEmpty() ? "" : " (" + both + ")";
    }

    /** Where a larger or smaller pool gave the same. */
    public static String behind(OperatingPoint c, PoolContrast pool) {
        Size own = pool.own();
        Size other = pool.by().orElseThrow();
        String text = "The limit lies behind the worker threads (a connection pool, a lock, another service): with "
                + other.threads() + " threads instead of " + own.threads() + " throughput was "
                + Format.number(other.throughput()) + "/s" + mean(other) + " instead of "
                + Format.number(own.throughput()) + "/s" + mean(own) + ", and a request held its thread for "
                + Format.seconds(other.holding()) + " instead of " + Format.seconds(own.holding())
                + ". What the threads wait for does not get quicker by waiting in greater number.";
        return text
                + pool.enough().stream()
                        .filter(n -> n < own.threads() / CLEARLY_MORE)
                        .mapToObj(n -> " About " + (int) n + " threads would give the same.")
                        .findFirst()
                        .or(() -> pool.fewest()
                                .filter(s -> s.threads() < own.threads() / CLEARLY_MORE && !s.equals(other))
                                .map(s -> " With " + s.threads() + " threads it gave " + Format.number(s.throughput())
                                        + "/s" + mean(s)
                                        + ", which the noise does not distinguish from "
                                        + Format.number(own.throughput())
                                        + "/s."))
                        .orElse("");
    }
}
