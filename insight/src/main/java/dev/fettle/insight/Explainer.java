package dev.fettle.insight;

import dev.fettle.insight.Explanation.Limit;
import dev.fettle.model.Evidence;
import dev.fettle.model.Measurement;
import dev.fettle.model.TrialOutcome;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Says what limits a trial, in sentences with the figures in them. */
public final class Explainer {
    /** CPU use from which the CPU is called full (B.2 of the diagnosis catalogue, step 3). */
    static final double CPU_FULL = 0.9;

    /** Below this, busy threads are waiting rather than computing (B-15). */
    static final double CPU_SPARE = 0.85;

    /** An open load whose throughput is at least this share of what was offered was served. */
    private static final double KEPT_UP = 0.95;

    private Explainer() {}

    /** Explains a trial; empty if it has no measurement. */
    public static Optional<Explanation> explain(TrialOutcome trial) {
        if (trial.measurement().isEmpty() || Capacity.of(trial).isEmpty()) {
            return Optional.empty();
        }
        Measurement m = trial.measurement().get();
        Capacity c = Capacity.of(trial).get();
        double overflows = trial.evidence()
                .map(Evidence::listenOverflows)
                .orElse(OptionalDouble.empty())
                .orElse(0);
        Limit limit = limit(c, overflows);
        var sentences = new ArrayList<String>();
        sentences.add(verdict(limit, c, overflows, trial));
        if (limit != Limit.CPU) {
            cpu(c).ifPresent(sentences::add);
        }
        if (limit != Limit.THREADS) {
            threads(c).ifPresent(sentences::add);
        }
        little(c, m).ifPresent(sentences::add);
        if (m.errorShare() > 0.001) {
            sentences.add(Say.percent(m.errorShare()) + " of the requests failed or were not taken (" + kinds(m)
                    + "); what failed after it had cost work counts above as well.");
        }
        return Optional.of(new Explanation(
                c.throughput(),
                c.holding(),
                c.busy(),
                c.usable(),
                c.cpuPerRequest(),
                c.utilisation(),
                c.cpuCeiling(),
                c.threadCeiling(),
                limit,
                sentences,
                refutedBy(limit, c)));
    }

    private static Limit limit(Capacity c, double overflows) {
        double cpu = c.utilisation().orElse(0);
        if (cpu >= CPU_FULL || (c.threadsFull() && cpu >= CPU_SPARE)) {
            return Limit.CPU;
        }
        boolean open = c.offered().isPresent();
        boolean everyClientServed = !open && c.busy().isPresent() && c.busy().getAsDouble() >= 0.9 * c.clients();
        if (c.threadsFull() && !everyClientServed) {
            return Limit.THREADS;
        }
        if (overflows > 0) {
            return Limit.ACCEPT_QUEUE;
        }
        if (open) {
            return c.throughput() >= KEPT_UP * c.offered().getAsDouble() ? Limit.RATE : Limit.UNKNOWN;
        }
        return everyClientServed && c.utilisation().isPresent() ? Limit.CLIENTS : Limit.UNKNOWN;
    }

    private static String verdict(Limit limit, Capacity c, double overflows, TrialOutcome trial) {
        return switch (limit) {
            case THREADS -> {
                double m = c.usable().orElse(0);
                double hold = c.holding().orElse(0);
                double line = c.offered().isPresent() ? 0 : Math.max(0, c.clients() - m);
                yield "All " + Say.count((int) m, "worker thread")
                        + " are busy on average and each request holds its thread for "
                        + Say.seconds(hold) + ", so the pool cannot give more than " + (int) m + " / "
                        + Say.seconds(hold) + " = "
                        + Say.number(m / hold) + " requests/s"
                        + (line >= 1 ? "; " + (int) line + " of " + c.clients() + " clients wait in line." : ".");
            }
            case CPU ->
                "The CPU is full: " + Say.percent(c.utilisation().orElse(0)) + " of " + Say.count(c.cores(), "CPU")
                        + " used"
                        + c.cpuPerRequest().stream()
                                .mapToObj(s -> ", " + Say.seconds(s) + " a request, so " + c.cores() + " / "
                                        + Say.seconds(s) + " = " + Say.number(c.cores() / s)
                                        + " requests/s is the most there can be")
                                .findFirst()
                                .orElse("")
                        + "; more threads only add switching, less work per request or more CPUs would help.";
            case CLIENTS ->
                "Every client is being served: " + Say.about(c.busy().orElse(0))
                        + " requests are in the application for "
                        + c.clients() + " clients, nothing on the server is full, and " + c.clients() + " / "
                        + Say.seconds(c.holding().orElse(0)) + " = "
                        + Say.number(c.clientCeiling().orElse(0))
                        + " requests/s is all they can ask for; more clients would get more.";
            case RATE ->
                "The server kept up with the " + Say.number(c.offered().orElse(0))
                        + " requests/s that it was offered, and nothing on it is full; what it could do with more, this load"
                        + " cannot tell.";
            case ACCEPT_QUEUE ->
                Say.number(overflows) + " connections were dropped because the accept queue"
                        + trial.evidence()
                                .map(Evidence::acceptQueueLimit)
                                .filter(OptionalInt::isPresent)
                                .map(q -> " of " + q.getAsInt())
                                .orElse("")
                        + " was full: clients wait a second or more for their SYN to be sent again, while threads and CPU are free.";
            case UNKNOWN ->
                c.busy().isEmpty() && c.utilisation().isEmpty()
                        ? "The target could not be looked into, so what limits it is not known."
                        : "Neither the threads nor the CPU are full: what limits it is not among what was watched (a lock, a pool"
                                + " behind the application, one busy thread, the network).";
        };
    }

    private static Optional<String> cpu(Capacity c) {
        if (c.utilisation().isEmpty()
                || c.cpuPerRequest().isEmpty()
                || c.cpuCeiling().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("The CPU is " + Say.percent(c.utilisation().getAsDouble()) + " used: "
                + Say.seconds(c.cpuPerRequest().getAsDouble())
                + " of CPU a request would allow " + Say.number(c.cpuCeiling().getAsDouble()) + "/s on "
                + Say.count(c.cores(), "CPU") + ".");
    }

    private static Optional<String> threads(Capacity c) {
        if (c.busy().isEmpty() || c.holding().isEmpty()) {
            return Optional.empty();
        }
        String of = c.usable().isPresent()
                ? " of " + Say.count((int) c.usable().getAsDouble(), "worker thread")
                : " threads";
        return Optional.of(
                Say.about(c.busy().getAsDouble()) + of + " are busy on average; a request holds its thread for "
                        + Say.seconds(c.holding().getAsDouble()) + ".");
    }

    private static Optional<String> little(Capacity c, Measurement m) {
        if (m.latency().count() == 0 || c.clients() == 0 || c.throughput() <= 0) {
            return Optional.empty();
        }
        double seconds = m.elapsed().toNanos() / 1e9;
        // where occupied time is known it is exact; the mean latency knows only the requests that ended in the phase
        double flight = m.occupied() > 0 && seconds > 0
                ? m.occupied() / seconds
                : c.throughput() * m.latency().mean() / 1e9;
        double r = flight / c.throughput();
        String waiting = "";
        if (c.holding().isPresent() && r > 1.2 * c.holding().getAsDouble() && m.errorShare() <= 0.001) {
            waiting = ", of which " + Say.seconds(r - c.holding().getAsDouble()) + " is spent outside a worker thread";
        }
        return Optional.of("Little's law: " + Say.number(c.throughput()) + "/s × " + Say.seconds(r) + " = "
                + Say.about(flight) + " requests in flight "
                + (c.offered().isPresent()
                        ? "on at most " + c.clients() + " connections"
                        : "for " + c.clients() + " clients")
                + waiting
                + ".");
    }

    private static String kinds(Measurement m) {
        var kinds = new ArrayList<String>();
        m.errors().forEach((kind, n) -> {
            if (n > 0) {
                kinds.add(kind.text() + " " + n);
            }
        });
        m.detail().offered().ifPresent(o -> {
            if (o.unsent() > 0) {
                kinds.add("never sent " + o.unsent());
            }
            if (o.unanswered() > 0) {
                kinds.add("piled up " + o.unanswered());
            }
        });
        return String.join(", ", kinds);
    }

    private static String refutedBy(Limit limit, Capacity c) {
        return switch (limit) {
            case THREADS ->
                "Doubling " + Capacity.THREADS + " to " + (int) (2 * (c.usable().orElse(0) + c.leased()) - c.leased())
                        + " leaves throughput unchanged.";
            case CPU -> "Another CPU for the target, or a page that costs half the CPU, leaves throughput unchanged.";
            case CLIENTS -> "Doubling load.connections leaves throughput unchanged.";
            case RATE -> "A higher load.rate leaves throughput unchanged.";
            case ACCEPT_QUEUE ->
                "Doubling the backlog (and net.core.somaxconn) leaves the number of slow connects unchanged.";
            case UNKNOWN ->
                "Doubling load.connections raises throughput in proportion: then the clients were the limit.";
        };
    }
}
