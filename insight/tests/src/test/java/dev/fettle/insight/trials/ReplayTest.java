package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Progress;
import dev.fettle.insight.trials.TrialSlots.Replay;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A replay that goes on from where it was finds what one from the beginning finds. */
class ReplayTest {
    private static final int SLOTS = 12;

    private final Simulated server = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private final Plan plan = server.plan(4, 300);

    /** Single slots and pairs, of settings that depend on all that was filled. */
    private final TrialSlots.Script script = filled -> {
        if (filled.size() >= SLOTS) {
            return Optional.empty();
        }
        int next = 4 + Math.floorMod(filled.stream().mapToInt(Filled::voids).sum() * 31 + filled.size(), 50);
        Slot slot = slot(next, filled.size());
        return Optional.of(filled.size() % 3 == 2 ? slot.with(slot(next + 100, filled.size())) : slot);
    };

    private Slot slot(int threads, int block) {
        var spec = new TrialSpec(
                Phase.SEARCH,
                "",
                Map.of(),
                block,
                plan.target(),
                Setting.DEFAULT.with("threads.max", Integer.toString(threads)),
                plan.load());
        return new Slot(spec, "search", Origin.SPREAD);
    }

    private TrialOutcome attempt(Random random, int ordinal, TrialSpec spec) {
        TrialOutcome o = server.run(ordinal, spec);
        return switch (random.nextInt(5)) {
            case 0 -> Tamper.voided(o, GateRules.DISTURBED, true);
            case 1 -> Tamper.failed(o, Kind.DIED, "it died");
            default -> o;
        };
    }

    @Test
    void goesOnFromWhereItWas() {
        int repeated = 0;
        for (int seed = 1; seed <= 200; seed++) {
            var random = new Random(seed);
            var growing = new Replay(script);
            var seen = new ArrayList<TrialOutcome>();
            while (true) {
                Progress whole = TrialSlots.replay(script, seen);
                assertThat(growing.of(List.copyOf(seen))).isEqualTo(whole);
                if (whole.pending().isEmpty()) {
                    break;
                }
                Slot slot = whole.pending().get();
                seen.add(attempt(random, seen.size() + 1, slot.spec()));
                slot.beside().ifPresent(other -> seen.add(attempt(random, seen.size() + 1, other.spec())));
            }
            repeated += seen.size() > SLOTS ? 1 : 0;
            List<TrialOutcome> earlier = seen.subList(0, seen.size() / 2);
            assertThat(growing.of(earlier)).as("a shorter one").isEqualTo(TrialSlots.replay(script, earlier));
        }
        assertThat(repeated).as("histories with attempts that were repeated").isGreaterThan(50);
    }

    /** Equal is not enough to be the same: another history begins anew. */
    @Test
    void anotherHistoryBeginsAnew() {
        var replay = new Replay(script);
        TrialOutcome first = server.run(1, script.next(List.of()).orElseThrow().spec());
        replay.of(List.of(first));
        TrialOutcome died = Tamper.failed(first, Kind.DIED, "it died");
        assertThat(replay.of(List.of(died))).isEqualTo(TrialSlots.replay(script, List.of(died)));
        assertThat(replay.of(List.of(died)).filled().getFirst().attempts()).containsExactly(died);
    }
}
