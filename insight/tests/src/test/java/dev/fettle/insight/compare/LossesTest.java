package dev.fettle.insight.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Variants that lose blocks, or requests: slow has 25 threads, quick 300. */
class LossesTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static CompareConclusion compare(UnaryOperator<TrialOutcome> tamper) {
        var variants = List.of(
                new Variant("slow", Simulated.target(), Setting.of("threads.max", "25")),
                new Variant("quick", Simulated.target(), Setting.of("threads.max", "300")));
        Load load = Simulated.load(SERVER.clients());
        var plan = Plan.of("p", Simulated.target(), load)
                .withCompare(Optional.of(
                        new Plan.Compare(variants, List.of(), 5, Optional.empty(), false, Optional.empty())))
                .withSeed(SERVER.seed());
        return (CompareConclusion)
                SERVER.drive(new CompareExperiment(plan), tamper).conclusion();
    }

    private static boolean is(TrialOutcome o, String variant, int... blocks) {
        return o.spec().variant().equals(variant)
                && IntStream.of(blocks).anyMatch(b -> b == o.spec().block());
    }

    private static Contrast contrast(CompareConclusion c) {
        return c.conditions().getFirst().contrasts().getFirst();
    }

    private static VariantResult variant(CompareConclusion c, int i) {
        return c.conditions().getFirst().variants().get(i);
    }

    @Test
    void whatCrashesInSomeBlocksIsNotCalledBetterByTheOthers() {
        CompareConclusion c = compare(o -> is(o, "quick", 1, 3) ? Tamper.failed(o, Kind.DIED, "gone") : o);
        assertThat(contrast(c).pairs()).isEqualTo(3);
        assertThat(contrast(c).ratio().high()).isLessThan(0.5);
        assertThat(contrast(c).differenceShown()).isFalse();
        assertThat(variant(c, 1).failed()).contains("crashed in 2 of 5 blocks");
        assertThat(c.headline())
                .isEqualTo(
                        "quick can't be called better than slow, as it failed. Failed: quick crashed in 2 of 5 blocks.");
    }

    @Test
    void whatIsWorseAndCrashesIsWorse() {
        CompareConclusion c = compare(o -> is(o, "slow", 1, 3) ? Tamper.failed(o, Kind.DIED, "gone") : o);
        assertThat(contrast(c).differenceShown()).isTrue();
        assertThat(c.headline()).startsWith("quick gives ").endsWith(" Failed: slow crashed in 2 of 5 blocks.");
    }

    @Test
    void whatFailsInEveryBlockIsNamed() {
        CompareConclusion c = compare(o -> is(o, "quick", 0, 1, 2, 3, 4) ? Tamper.failed(o, Kind.HUNG, "still") : o);
        assertThat(c.headline())
                .startsWith("Nothing could be compared: ")
                .endsWith(" Failed: quick stopped answering in 5 of 5 blocks.");
        assertThat(variant(c, 0).failed()).isEmpty();
    }

    /** Every fifth request is lost. */
    @Test
    void whatLeavesWorkUndoneIsNotCalledBetter() {
        CompareConclusion c = compare(o -> o.spec().variant().equals("quick") ? lossy(o) : o);
        assertThat(contrast(c).withheld())
                .contains(
                        "quick can't be called better than slow, as it left more requests undone than the limits allow");
        assertThat(contrast(c).differenceShown()).isFalse();
        assertThat(c.headline())
                .startsWith(
                        "quick can't be called better than slow, as it left more requests undone than the limits allow. Not"
                                + " within the limits: quick (errors 20 % for a limit of ");
    }

    /** A figure of zero is in no ratio, and must count. */
    @Test
    void whatGaveNothingInSomeBlockIsNotCalledBetter() {
        CompareConclusion c = compare(o -> is(o, "quick", 2) ? Tamper.faster(o, 0) : o);
        assertThat(contrast(c).pairs()).isEqualTo(4);
        assertThat(contrast(c).differenceShown()).isFalse();
        assertThat(contrast(c).withheld())
                .contains("quick can't be called better than slow, as its throughput was zero in some block");
        assertThat(contrast(compare(o -> is(o, "slow", 2) ? Tamper.faster(o, 0) : o))
                        .differenceShown())
                .isTrue();
    }

    private static TrialOutcome lossy(TrialOutcome o) {
        Measurement m = o.measurement().orElseThrow();
        return Tamper.measured(
                o, Tamper.errors(m, m.responses(), Map.of(ErrorKind.READ_TIMEOUT, m.responses() / 4)), o.verdict());
    }

    @Test
    void lopsidedVoidsAreSaid() {
        CompareConclusion one = compare(o -> is(o, "quick", 2) ? Tamper.voided(o, "late", false) : o);
        assertThat(one.notes())
                .contains("Void were 0 of 5 of slow, 1 of 5 of quick.")
                .noneMatch(n -> n.contains("than chance explains"));
        CompareConclusion most = compare(o -> is(o, "quick", 0, 2, 3, 4) ? Tamper.voided(o, "late", false) : o);
        assertThat(most.notes())
                .contains(
                        "Trials were void on one side more often than chance explains: 0 of 5 of slow, 4 of 5 of quick"
                                + " (by chance in 4.8 % of such comparisons). What made them void may have to do with the variant.");
        assertThat(compare(o -> o).notes()).noneMatch(n -> n.startsWith("Void"));
    }

    /** What counts are the blocks in which the other one gave usable figures. */
    @Test
    void whatGaveNothingUsableInSomeBlockIsNotCalledBetter() {
        CompareConclusion c = compare(o -> is(o, "quick", 1, 3) ? Tamper.voided(o, "connect-queue", false) : o);
        assertThat(c.headline())
                .isEqualTo("quick can't be called better than slow, as it gave no usable figures in 2 of 5 blocks.");
        assertThat(contrast(c).differenceShown()).isFalse();
        CompareConclusion both =
                compare(o -> is(o, "quick", 1) || is(o, "slow", 1) ? Tamper.voided(o, "connect-queue", false) : o);
        assertThat(contrast(both).differenceShown()).isTrue();
        CompareConclusion generators = compare(o -> is(o, "quick", 1) ? Tamper.voided(o, "generator-limit", false) : o);
        assertThat(contrast(generators).differenceShown()).isTrue();
    }
}
