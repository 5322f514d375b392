package dev.fettle.insight.trials;

import dev.fettle.insight.OverloadResult;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a server copes with a spike, and how soon it has recovered. */
public final class Overload {
    /** This many windows in a row must meet the SLO: one alone may be luck. */
    public static final int IN_A_ROW = 4;

    private Overload() {}

    /**
     * Seconds from the end of a spike until the SLO is met again: to the beginning of the first of {@link #IN_A_ROW} windows
     * in a row, all of them after the spike, that each meet its conditions on latency and errors.
     *
     * @param slices windows in order
     * @param spikeEnd seconds since the load began
     * @return empty if there are no such windows
     */
    public static OptionalFigure recovery(List<Slice> slices, double spikeEnd, Slo slo) {
        int inARow = 0;
        for (int i = 0; i < slices.size(); i++) {
            boolean after = slices.get(i).at() >= spikeEnd - 1e-3;
            inARow = after && slo.quality().hold(slices.get(i)) ? inARow + 1 : 0;
            if (inARow == IN_A_ROW) {
                return OptionalFigure.of(
                        Math.max(0, slices.get(i + 1 - IN_A_ROW).at() - spikeEnd));
            }
        }
        return OptionalFigure.empty();
    }

    /**
     * Sums up a spike.
     *
     * @param base arrivals a second before and after the spike
     * @param spike arrivals a second in it
     * @param seen the spike's slices and stages
     * @param verdict on its trial: if it is void, the headline says why first, and nothing is concluded
     * @param iterations whether an arrival is an iteration of several requests
     */
    public static OverloadResult result(
            Slo slo, double base, double spike, Measurement seen, Verdict verdict, boolean iterations) {
        List<Slice> stages = seen.detail().stages();
        OverloadResult r = result(
                slo,
                base,
                spike,
                stages.get(0),
                stages.get(1),
                stages.get(2),
                seen.detail().slices(),
                iterations);
        return judged(r, verdict, iterations);
    }

    /** @param slices all windows, in order */
    public static OverloadResult result(
            Slo slo,
            double base,
            double spike,
            Slice before,
            Slice during,
            Slice after,
            List<Slice> slices,
            boolean iterations) {
        OptionalFigure recovery = recovery(slices, during.at() + during.seconds(), slo);
        return new OverloadResult(
                slo,
                base,
                spike,
                before,
                during,
                after,
                recovery,
                headline(slo, base, spike, during, after, recovery, iterations),
                notes(slo, before, during, recovery),
                slices,
                Optional.empty());
    }

    /** The result of a spike whose trial was judged so. */
    public static OverloadResult judged(OverloadResult r, Verdict verdict, boolean iterations) {
        if (verdict.valid()) {
            return r;
        }
        String why = verdict.reasons().stream().map(Verdict.Reason::message).collect(Collectors.joining("; "));
        return r.withHeadline(OverloadResult.VOID + why + ". " + gave(r.spike(), r.during(), iterations))
                .withRecovery(OptionalFigure.empty())
                .withNotes(List.of())
                .withVoided(Optional.of(why));
    }

    private static String headline(
            Slo slo,
            double base,
            double spike,
            Slice during,
            Slice after,
            OptionalFigure recovery,
            boolean iterations) {
        String back = recovery.stream()
                .mapToObj(s -> s < 0.05
                        ? " It met " + slo.quality() + " as soon as the spike was over."
                        : " It met " + slo.quality() + " again " + Format.seconds(s) + " after the spike.")
                .findFirst()
                .orElse(" Back at " + Format.number(base) + "/s it did not meet " + slo.quality() + " again within the "
                        + Format.seconds(after.seconds()) + " watched.");
        return gave(spike, during, iterations) + back;
    }

    private static String gave(double spike, Slice during, boolean iterations) {
        return "Offered " + Format.number(spike) + (iterations ? " iterations/s" : "/s") + " for "
                + Format.seconds(during.seconds()) + ", it gave "
                + Format.number(during.goodput()) + " good answers a second"
                + (during.failed() + during.lost() == 0
                        ? " and no errors"
                        : "; " + Format.share(during.errorShare()) + " of the attempts failed" + most(during.errors()))
                + ".";
    }

    private static String most(Map<ErrorKind, Long> errors) {
        return errors.entrySet().stream()
                .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .map(e -> ", most of them by " + e.getKey().text())
                .orElse("");
    }

    private static List<String> notes(Slo slo, Slice before, Slice during, OptionalFigure recovery) {
        var notes = new ArrayList<String>();
        if (!slo.quality().hold(before)) {
            notes.add("The SLO was not met before the spike either, so "
                    + (recovery.isPresent()
                            ? "that it was met after it may be chance."
                            : "nothing shows how soon the server recovers."));
        } else if (slo.quality().hold(during)) {
            notes.add("The SLO was met during the spike: that was no overload.");
        }
        if (during.held() > 0) {
            notes.add(Format.count(during.held())
                    + " arrivals of the spike found no free connection and waited for one; more connections would have put"
                    + " more of the spike on the server.");
        }
        return notes;
    }
}
