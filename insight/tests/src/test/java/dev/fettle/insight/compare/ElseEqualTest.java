package dev.fettle.insight.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Simulated;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two programs are equal but for what the plan says, as far as values are read back. */
class ElseEqualTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static Target jar(String name, Target.Jvm jvm) {
        return new Target.Boot("/x/" + name, ServerKind.TOMCAT, "3.5.0", List.of(), jvm, Setting.DEFAULT);
    }

    private static List<String> notes(Target head, Setting set, Map<String, String> read) {
        Target base = jar("a.jar", Target.Jvm.SAME);
        var variants = List.of(new Variant("old", base, Setting.DEFAULT), new Variant("new", head, set));
        var plan = Plan.of("p", base, Simulated.load(SERVER.clients()))
                .withCompare(Optional.of(
                        new Plan.Compare(variants, List.of(), 3, Optional.empty(), false, Optional.empty())));
        var found = (CompareConclusion) SERVER.drive(
                        new CompareExperiment(plan),
                        o -> effective(o, o.spec().variant().equals("new") ? read : Map.of()))
                .conclusion();
        return found.notes().stream().filter(n -> n.contains("ead back")).toList();
    }

    private static TrialOutcome effective(TrialOutcome o, Map<String, String> own) {
        var all = new HashMap<>(Map.of("threads.max", "200", "backlog", "100", "jvm.gc", "g1"));
        all.putAll(own);
        return o.withEvidence(o.evidence().map(e -> e.withEffective(all)));
    }

    @Test
    void saysThatAllElseIsEqual() {
        assertThat(notes(jar("b.jar", Target.Jvm.SAME), Setting.DEFAULT, Map.of()))
                .singleElement()
                .asString()
                .contains("equal", "3 values");
    }

    @Test
    void aValueThatOneProgramSetsByItselfIsReported() {
        assertThat(notes(jar("b.jar", Target.Jvm.SAME), Setting.DEFAULT, Map.of("threads.max", "100")))
                .singleElement()
                .asString()
                .contains("threads.max (old: 200, new: 100)")
                .doesNotContain("backlog");
    }

    @Test
    void whatThePlanSaysIsNoSurprise() {
        assertThat(notes(jar("b.jar", Target.Jvm.SAME), Setting.of("threads.max", "100"), Map.of("threads.max", "100")))
                .singleElement()
                .asString()
                .contains("2 values");
        assertThat(notes(
                        jar("b.jar", new Target.Jvm(Optional.empty(), List.of("-XX:+UseZGC"))),
                        Setting.DEFAULT,
                        Map.of("jvm.gc", "z")))
                .singleElement()
                .asString()
                .contains("2 values");
    }

    @Test
    void saysNothingOfOneProgram() {
        assertThat(notes(jar("a.jar", Target.Jvm.SAME), Setting.of("threads.max", "100"), Map.of("threads.max", "100")))
                .isEmpty();
    }
}
