package dev.fettle.insight.explain;

import dev.fettle.insight.gate.LostSyns;
import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a trial shows about the accept queue of the listening socket.
 *
 * @param drops connections dropped
 * @param many whether these drops, or slow connects, are enough to limit a load: 1 % of the connects, and at least ten
 * @param looked whether the target's own queue was watched; else the drops are those of its network namespace, where others
 *     may listen, too
 * @param own whether the target's own queue was full
 */
public record AcceptQueue(double drops, boolean many, boolean looked, boolean own, OptionalInt limit) {
    public static final double LEAST = Bounds.value("drops-least");
    public static final double SHARE = Bounds.value("drops");

    /** Connects from which on their p99 is more than the slowest one. */
    public static final long ENOUGH_CONNECTS = Math.round(Bounds.value("enough-connects"));

    /** What a trial shows. */
    public static AcceptQueue of(TrialOutcome trial) {
        Optional<Evidence> e = trial.evidence();
        boolean looked = e.filter(x -> x.get(Aggregate.ACCEPT_QUEUE_MAX).isPresent()
                        || x.get(Aggregate.ACCEPT_QUEUE_DROPS).isPresent())
                .isPresent();
        boolean own = e.filter(Evidence::acceptQueueWasFull).isPresent();
        double namespace =
                e.map(x -> x.get(Aggregate.LISTEN_OVERFLOWS).orElse(0)).orElse(0.0);
        double drops = e.map(x -> x.get(Aggregate.ACCEPT_QUEUE_DROPS).orElse(namespace))
                .orElse(0.0);
        Optional<Measurement> m = trial.measurement();
        long connects = m.map(x -> x.connect().count()).orElse(0L);
        boolean slow = m.filter(x -> x.connect().p99() >= LostSyns.SENT_AGAIN_NANOS
                        && x.connect().count() >= ENOUGH_CONNECTS)
                .filter(x -> LostSyns.told(trial.spec().load(), x, e))
                .isPresent();
        boolean many = many(drops, connects) || (slow && drops > 0);
        return new AcceptQueue(
                drops, many, looked, own, e.map(Evidence::acceptQueueLimit).orElse(OptionalInt.empty()));
    }

    /** Whether so many connections were dropped that it may limit a load with so many connects. */
    public static boolean many(double drops, long connects) {
        return drops >= Math.max(LEAST, SHARE * connects);
    }

    /** Whether the queue may be the limit. If the target's own queue was watched, it must have been full. */
    public boolean limits() {
        return many && (own || !looked);
    }

    /** That it is the limit, and what is free meanwhile, as far as that was looked at. */
    public String verdict(OperatingPoint c) {
        boolean cpu = c.utilisation().isPresent() && !c.cpuFull();
        boolean threads = c.poolSeen() && !c.threadsFull();
        return sentence(
                threads && cpu
                        ? ", while threads and CPU are free."
                        : threads ? ", while threads are free." : cpu ? ", while the CPU is not full." : ".");
    }

    /** What the drops cost, whatever else is full. */
    public String sentence() {
        return sentence(".");
    }

    private String sentence(String end) {
        String slow = ": clients wait a second or more for their SYN to be sent again" + end;
        return own
                ? dropped(drops) + " dropped because the target's accept queue" + holds() + " was full" + slow
                : dropped(drops)
                        + " dropped at full accept queues in the target's network namespace,"
                        + " which is consistent with the target's own queue" + holds() + " being full" + slow
                        + " Not observed: whether it was the target's own.";
    }

    /** Drops that are too few to be the limit. */
    public Optional<String> aside() {
        if (drops <= 0) {
            return Optional.empty();
        }
        String where =
                own ? "at the target's full accept queue" : "at full accept queues in the target's network namespace";
        return Optional.of(dropped(drops) + " dropped " + where
                + (looked && !own
                        ? "; the target's own was not seen full."
                        : many ? "." : ": too few to be what limits it."));
    }

    /** The beginning of a sentence: {@code 12 connections were}, {@code One connection was}. */
    private static String dropped(double n) {
        return Math.round(n) == 1 ? "One connection was" : were(n);
    }

    /** {@code 12 connections were}, {@code one connection was}. */
    static String were(double n) {
        return Math.round(n) == 1 ? "one connection was" : Format.whole(n) + " connections were";
    }

    private String holds() {
        return limit.isPresent() ? " of " + limit.getAsInt() : "";
    }
}
