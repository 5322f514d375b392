package dev.fettle.insight.trials;

import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks that a target answers the same under another setting. A server that answers something else (a "busy" page, a stale or
 * truncated one) can be much faster, and the status does not reveal it.
 *
 * <p>The reference's answers set the standard: what varies among them may vary elsewhere too.
 *
 * <ul>
 *   <li>Statuses and lengths are compared. Reference lengths that are close to each other form a range, which is widened by a
 *       tenth or {@value #SLACK} bytes, whichever is more: a date, a number or a thread's name may vary in length.
 *   <li>Bodies are also compared by hash if all of the reference's trials gave the same few. That takes at least two trials,
 *       since a page may contain what differs from JVM to JVM, such as its start time or process id.
 *   <li>Each kind of answer has a share in each of the reference's trials. A candidate's answers differ if a kind's share
 *       exceeds the largest of those by more than the reference's spread, four standard deviations of a binomial count, and
 *       {@value #FLOOR}. A single reference trial has no spread: then up to twice its share is accepted.
 * </ul>
 *
 * <p>Answers that come as gzip are compared unpacked, from the sample: compression changes their length, but not their
 * content.
 *
 * <p>Not detected: a different body of about the same length where the reference's own bodies vary.
 */
public final class AnswerCheck {
    /**
     * The smallest gain worth reporting is 1 %; answers that cost nothing would give half of that if they were half a per cent
     * of all.
     */
    static final double FLOOR = 0.005;

    /** With dozens of kinds in dozens of trials: one false alarm in 10,000 runs. */
    private static final double DEVIATIONS = 4;

    /** Bytes. */
    private static final long SLACK = 32;

    private static final double WIDER = 0.1;

    /** A page with more different bodies counts as varying. */
    private static final int FEW = 8;

    /** A trial with fewer answers than this, relative to the largest, is left out of the reference. */
    private static final double ENOUGH = 0.1;

    /** Share of bodies that must recur in another trial: a few error pages with a date don't make the page varying. */
    private static final double STEADY = 0.95;

    private AnswerCheck() {}

    /**
     * How the candidate's answers differ from the reference's.
     *
     * @param share of the candidate's answers to that request that are of the kind
     * @param usual the kind's share of the reference's answers
     * @param text {@code 12 % of its answers to GET / were 31 B instead of 2,048 B}
     */
    public record Difference(double share, double usual, String text) {}

    /**
     * The largest difference.
     *
     * @param reference valid trials of the baseline
     * @param candidate valid trials of another setting, under the same load
     * @return empty if there is none, or if one side has no recorded answers
     */
    public static Optional<Difference> of(List<TrialOutcome> reference, List<TrialOutcome> candidate) {
        List<List<Answers>> usual = answers(reference);
        List<List<Answers>> other = answers(candidate);
        if (usual.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        int steps = Stream.concat(usual.stream(), other.stream())
                .mapToInt(List::size)
                .min()
                .orElse(0);
        var found = new ArrayList<Difference>();
        for (int i = 0; i < steps; i++) {
            int step = i;
            boolean unzipped = Stream.concat(usual.stream(), other.stream()).anyMatch(t -> isUnzipped(t.get(step)));
            List<Answers> a =
                    usual.stream().map(t -> asUnzipped(t.get(step), unzipped)).toList();
            List<Answers> b =
                    other.stream().map(t -> asUnzipped(t.get(step), unzipped)).toList();
            String to = a.getFirst().step().isEmpty()
                    ? request(reference.getFirst())
                    : "step '" + a.getFirst().step() + "'";
            new Mix(lengths(a), false).different(a, b, to).ifPresent(found::add);
            bodies(a).flatMap(kinds -> new Mix(kinds, true).different(a, b, to)).ifPresent(found::add);
        }
        return found.stream().max(Comparator.comparingDouble(d -> d.share() - d.usual()));
    }

    /** How the answers of two variants differ, naming the one that deviates; neither is the reference. */
    public static Optional<String> between(String a, List<TrialOutcome> as, String b, List<TrialOutcome> bs) {
        return of(as, bs)
                .map(d -> b + " gives other answers than " + a + ": " + d.text())
                .or(() -> of(bs, as).map(d -> a + " gives other answers than " + b + ": " + d.text()));
    }

    private static boolean isUnzipped(Answers a) {
        return a.contents().stream().anyMatch(Answers.Content::unzipped);
    }

    /** A copy with the lengths of the unpacked sample in place of those received. */
    private static Answers asUnzipped(Answers a, boolean unzipped) {
        return unzipped
                ? new Answers(
                        a.step(),
                        a.contents().stream()
                                .map(c -> new Answers.Shape(c.status(), c.length(), c.length(), c.count()))
                                .toList(),
                        a.contents(),
                        a.otherContents(),
                        a.wrong())
                : a;
    }

    private static List<List<Answers>> answers(List<TrialOutcome> trials) {
        return trials.stream()
                .flatMap(t -> t.measurement().stream())
                .map(Measurement::detail)
                .map(Measurement.Detail::answers)
                .filter(l -> !l.isEmpty())
                .toList();
    }

    private static String request(TrialOutcome trial) {
        var request = trial.spec().load().request();
        return request.method() + " " + request.path();
    }

    /** Answers that look alike. */
    private record Seen(int status, long shortest, long longest, Optional<String> hash, long count) {
        static Seen of(Answers.Content c) {
            return new Seen(c.status(), c.length(), c.length(), Optional.of(c.hash()), c.count());
        }

        static Seen of(Answers.Shape s) {
            return new Seen(s.status(), s.shortest(), s.longest(), Optional.empty(), s.count());
        }

        String text(boolean withStatus) {
            return (withStatus ? "status " + status + " with " : "")
                    + (shortest == longest
                            ? Format.exactBytes(shortest)
                            : Format.whole(shortest) + " to " + Format.exactBytes(longest));
        }
    }

    /** A kind of answer of the reference: a status, and either one body or a range of lengths. */
    private record Kind(int status, long shortest, long longest, Optional<String> hash) {
        boolean holds(Seen s) {
            // lengths lumped together come without a status
            boolean same = s.status() == status || s.status() == 0 || status == 0;
            return same
                    && s.shortest() <= longest
                    && s.longest() >= shortest
                    && s.hash().equals(hash);
        }
    }

    /** The reference's bodies, if there are few and all of its trials gave the same; empty if the page varies. */
    private static Optional<List<Kind>> bodies(List<Answers> reference) {
        List<Answers> looked = reference.stream().filter(a -> a.sampled() > 0).toList();
        Map<Kind, Long> trials = looked.stream()
                .flatMap(a -> a.contents().stream().map(AnswerCheck::kind))
                .collect(Collectors.groupingBy(k -> k, Collectors.counting()));
        List<Kind> shared = trials.entrySet().stream()
                .filter(e -> e.getValue() > 1)
                .map(Map.Entry::getKey)
                .toList();
        boolean steady = looked.stream()
                .allMatch(a -> a.contents().stream()
                                .filter(c -> shared.contains(kind(c)))
                                .mapToLong(Answers.Content::count)
                                .sum()
                        >= STEADY * a.sampled());
        return looked.size() > 1 && steady && shared.size() <= FEW ? Optional.of(shared) : Optional.empty();
    }

    private static Kind kind(Answers.Content c) {
        return new Kind(c.status(), c.length(), c.length(), Optional.of(c.hash()));
    }

    /** The reference's lengths, grouped into ranges. */
    private static List<Kind> lengths(List<Answers> reference) {
        List<Answers.Shape> all = reference.stream()
                .flatMap(a -> a.shapes().stream())
                .sorted(Comparator.comparing(Answers.Shape::status).thenComparing(Answers.Shape::shortest))
                .toList();
        var kinds = new ArrayList<Kind>();
        for (Answers.Shape s : all) {
            long from = Math.max(0, s.shortest() - slack(s.shortest()));
            long to = s.longest() + slack(s.longest());
            Kind last = kinds.isEmpty() ? null : kinds.getLast();
            if (last != null && last.status() == s.status() && from <= last.longest()) {
                kinds.set(
                        kinds.size() - 1,
                        new Kind(s.status(), last.shortest(), Math.max(to, last.longest()), Optional.empty()));
            } else {
                kinds.add(new Kind(s.status(), from, to, Optional.empty()));
            }
        }
        return kinds;
    }

    private static long slack(long length) {
        return Math.max(SLACK, Math.round(WIDER * length));
    }

    /**
     * Computes the shares of the kinds.
     *
     * @param kinds of the reference; anything else counts as one more, in last place
     */
    private record Mix(List<Kind> kinds, boolean byContent) {

        Optional<Difference> different(List<Answers> reference, List<Answers> candidate, String to) {
            List<long[]> each = reference.stream().map(a -> counts(List.of(a))).toList();
            long largest = each.stream().mapToLong(AnswerCheck::sum).max().orElse(0);
            // a trial with hardly any answers gives no reliable shares
            List<long[]> before = each.stream()
                    .filter(n -> sum(n) > 0 && sum(n) >= ENOUGH * largest)
                    .toList();
            long[] now = counts(candidate);
            long all = sum(now);
            if (before.isEmpty() || all == 0) {
                return Optional.empty();
            }
            long fewest = before.stream().mapToLong(AnswerCheck::sum).min().orElse(1);
            Difference worst = null;
            for (int i = 0; i < now.length; i++) {
                int kind = i;
                double share = (double) now[i] / all;
                double[] usual = before.stream()
                        .mapToDouble(b -> (double) b[kind] / sum(b))
                        .toArray();
                double most = Arrays.stream(usual).max().orElse(0);
                double spread = usual.length < 2
                        ? most
                        : most - Arrays.stream(usual).min().orElse(0);
                double pooled = (now[i] + most * fewest + 1) / (all + fewest + 2);
                double chance = DEVIATIONS * Math.sqrt(pooled * (1 - pooled) * (1.0 / all + 1.0 / fewest));
                double beyond = share - most - spread - chance;
                if (beyond > FLOOR && (worst == null || share - most > worst.share() - worst.usual())) {
                    worst = new Difference(share, most, text(i, share, most, reference, candidate, to));
                }
            }
            return Optional.ofNullable(worst);
        }

        private long[] counts(List<Answers> trials) {
            long[] counts = new long[kinds.size() + 1];
            for (Answers a : trials) {
                seen(a).forEach(s -> counts[kind(s)] += s.count());
                counts[kinds.size()] += byContent ? a.otherContents() : 0;
            }
            return counts;
        }

        private List<Seen> seen(Answers a) {
            return byContent
                    ? a.contents().stream().map(Seen::of).toList()
                    : a.shapes().stream().map(Seen::of).toList();
        }

        /** The index of the first kind that fits; their number if none does. */
        private int kind(Seen s) {
            int i = 0;
            while (i < kinds.size() && !kinds.get(i).holds(s)) {
                i++;
            }
            return i;
        }

        private String text(
                int kind, double share, double most, List<Answers> reference, List<Answers> candidate, String to) {
            Seen now = typical(candidate, s -> kind(s) == kind);
            Seen usual = typical(reference, s -> kind(s) != kind);
            boolean status = now.status() != usual.status() && now.status() != 0 && usual.status() != 0;
            boolean length = now.shortest() != usual.shortest() || now.longest() != usual.longest();
            String what = status || length
                    ? " were " + now.text(status) + " instead of " + usual.text(status)
                    : " had another body of " + now.text(false);
            return Format.share(share) + " of its answers to " + to + what
                    + (most > 0 ? " (" + Format.share(most) + " usually)" : "");
        }

        /** The most frequent answer. */
        private Seen typical(List<Answers> trials, Predicate<Seen> of) {
            return trials.stream()
                    .flatMap(a -> seen(a).stream())
                    .filter(of)
                    .max(Comparator.comparingLong(Seen::count))
                    .orElse(new Seen(0, 0, 0, Optional.empty(), 0));
        }
    }

    private static long sum(long[] counts) {
        return Arrays.stream(counts).sum();
    }
}
