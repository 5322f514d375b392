package dev.fettle.insight.compare;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether other variants of a comparison are slower than the first by more than is allowed, as a script asks it. One is if the difference is shown and
 * as large as that; it is not if the whole interval lies below it. Nothing can be said of one that failed, that breaks a limit which the first keeps,
 * whose answers differ, or that has no pair with the first.
 *
 * @param answer {@link Answer#WORSE} if any of them is, else {@link Answer#CANT_TELL} if nothing can be said of any
 * @param why one sentence for each that is not {@link Answer#NO_WORSE}, the worst first
 */
public record SlowerThanFirst(Answer answer, List<String> why) {
    public SlowerThanFirst {
        why = List.copyOf(why);
    }

    /**
     * The answer of a comparison.
     *
     * @param allowed the loss that is allowed, a share of the first variant's figure
     */
    public static SlowerThanFirst of(CompareConclusion found, double allowed) {
        List<One> all = found.conditions().stream()
                .flatMap(c -> of(c, found.metric().low() && found.spike().isEmpty(), allowed))
                .toList();
        Answer answer = all.stream().anyMatch(o -> o.answer() == Answer.WORSE)
                ? Answer.WORSE
                : all.isEmpty() || all.stream().anyMatch(o -> o.answer() == Answer.CANT_TELL)
                        ? Answer.CANT_TELL
                        : Answer.NO_WORSE;
        var why = new ArrayList<String>();
        for (Answer a : List.of(Answer.WORSE, Answer.CANT_TELL)) {
            all.stream().filter(o -> o.answer() == a).map(One::why).forEach(why::add);
        }
        return new SlowerThanFirst(answer, why);
    }

    private record One(Answer answer, String why) {}

    private static Stream<One> of(Condition condition, boolean low, double allowed) {
        VariantResult first = condition.variants().getFirst();
        return condition.variants().stream()
                .skip(1)
                .map(v -> condition.contrasts().stream()
                        .filter(x -> x.a().equals(first.name()) && x.b().equals(v.name()))
                        .findFirst()
                        .map(x -> of(x, first, v, low, allowed, GridFigures.at(condition.point())))
                        .orElse(new One(Answer.CANT_TELL, v.name() + " was not compared with " + first.name())));
    }

    private static One of(
            Contrast x, VariantResult first, VariantResult other, boolean low, double allowed, String at) {
        if (x.pairs() == 0 || !x.ratio().bounded()) {
            return new One(Answer.CANT_TELL, "too few pairs of %s and %s are valid%s".formatted(x.a(), x.b(), at));
        }
        // of a over b; the loss of b is a share of the figure of a
        double least = low ? 1 / x.ratio().high() - 1 : 1 - 1 / x.ratio().low();
        double most = low ? 1 / x.ratio().low() - 1 : 1 - 1 / x.ratio().high();
        double loss = low ? 1 / x.ratio().estimate() - 1 : 1 - 1 / x.ratio().estimate();
        String size = "%s by %s (%s to %s)%s".formatted(x.a(), share(loss), share(least), share(most), at);
        if (x.differenceShown() && least > 0 && loss >= allowed) {
            return new One(Answer.WORSE, other.name() + " is worse than " + size);
        }
        Optional<String> doubt = Stream.of(
                        x.otherAnswers(),
                        x.withheld(),
                        other.failed().map(f -> other.name() + " " + f),
                        first.failed().map(f -> first.name() + " " + f),
                        other.broken().stream()
                                .filter(b -> first.broken().isEmpty())
                                .findFirst()
                                .map(b -> other.name() + " is not within the limits: " + b))
                .flatMap(Optional::stream)
                .findFirst();
        if (doubt.isPresent()) {
            return new One(Answer.CANT_TELL, doubt.get() + at);
        }
        return most < allowed
                ? new One(Answer.NO_WORSE, "")
                : new One(
                        Answer.CANT_TELL,
                        "%s may be worse than %s; %s is allowed"
                                .formatted(other.name(), size, Format.exactShare(allowed)));
    }

    private static String share(double share) {
        return Format.share(share);
    }
}
