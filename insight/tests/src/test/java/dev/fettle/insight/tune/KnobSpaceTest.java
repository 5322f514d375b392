package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnobSpaceTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final Plan PLAN = SERVER.plan(
            List.of(KnobRange.interval("threads.max", 4, 1024), KnobRange.interval("backlog", 50, 4000)),
            Objective.DEFAULT,
            Budget.DEFAULT);

    private static TrialOutcome trial(Setting s) {
        return trial(PLAN, s);
    }

    private static TrialOutcome trial(Plan plan, Setting s) {
        return SERVER.run(
                1, new TrialSpec(Phase.SEARCH, TuneSlots.CANDIDATE, Map.of(), 0, plan.target(), s, plan.load()));
    }

    /** A plan for a server of Fettle's own. */
    private static Plan on(ServerKind server, KnobRange... knobs) {
        return SERVER.plan(List.of(knobs), Objective.DEFAULT, Budget.DEFAULT)
                .on(new Target.Embedded(server, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME));
    }

    /** The space of a plan whose default was measured, with these values read back. */
    private static KnobSpace space(Plan plan, Map<String, String> read) {
        TrialOutcome o = Simulated.with(trial(plan, Setting.DEFAULT), e -> Tamper.effective(e, read));
        return new KnobSpace(plan, seen(Setting.DEFAULT, List.of(o), Optional.empty()));
    }

    private static double[] point(KnobSpace space, Setting s) {
        return space.at(s).at().stream().mapToDouble(x -> x).toArray();
    }

    private static SettingTrials seen(Setting s, List<TrialOutcome> valid, Optional<String> failure) {
        return TriedSettings.of(s, Origin.SPREAD, valid).withFailure(failure);
    }

    private static SettingTrials measured(Setting s) {
        return seen(s, List.of(trial(s)), Optional.empty());
    }

    /** What the target's own files set counts, too: with virtual threads a pool's size does nothing. */
    @Test
    void aKnobThatTheTargetsOwnConfigurationSwitchesOffHasNoCoordinate() {
        for (boolean virtual : new boolean[] {true, false}) {
            Setting own = virtual ? Setting.of("threads.virtual", "true") : Setting.DEFAULT;
            Plan plan = PLAN.on(
                    new Target.Boot("/srv/app.jar", ServerKind.TOMCAT, "3.5.16", List.of(), Target.Jvm.SAME, own));
            var space = new KnobSpace(plan, measured(Setting.DEFAULT));
            assertThat(Double.isNaN(
                            space.at(Setting.of("threads.max", "100")).at().getFirst()))
                    .isEqualTo(virtual);
        }
    }

    /** What the plan says that the application has is its default: no value of it to set, and none to try. */
    @Test
    void theDefaultOfAnOwnKnobIsWhatThePlanSays() {
        KnobRange range = KnobRange.choices("own.pool", List.of("10", "20", "40"));
        OwnKnob pool = new OwnKnob(
                "own.pool",
                Knob.Type.INT,
                Knob.Scale.LOG,
                1,
                200,
                List.of(),
                Optional.of("10"),
                "",
                "",
                new OwnKnob.Variable("POOL"),
                Optional.empty());
        for (boolean given : new boolean[] {true, false}) {
            Plan plan = on(ServerKind.TOMCAT, range);
            plan = given ? plan.withOwn(List.of(pool)) : plan;
            SettingTrials base = seen(Setting.DEFAULT, List.of(trial(plan, Setting.DEFAULT)), Optional.empty());
            var space = new KnobSpace(plan, base);
            Setting ten = Setting.of("own.pool", "10");
            assertThat(space.value("own.pool", Setting.DEFAULT))
                    .isEqualTo(given ? Optional.of("10") : Optional.empty());
            assertThat(space.changed(ten)).hasSize(given ? 0 : 1);
            assertThat(space.setting(point(space, ten))).contains(given ? Setting.DEFAULT : ten);
            var next = new OneKnobAtATime(plan, false, List.of(base));
            assertThat(next.next(Setting.DEFAULT, _ -> true).orElseThrow().setting())
                    .as("the farthest from the default, where it is known; else the first")
                    .isEqualTo(given ? Setting.of("own.pool", "40") : ten);
            assertThat(next.next(Setting.DEFAULT, ten::equals).isEmpty()).isEqualTo(given);
        }
    }

    /** A crash leaves no values to read back: the knobs that it did not set were at the default's. */
    @Test
    void aCrashIsLearnedWhereItHappened() {
        SettingTrials base = measured(Setting.DEFAULT);
        Setting large = Setting.of("backlog", "4000");
        SettingTrials crashed = seen(large, List.of(), Optional.of("crashed"));
        var space = new KnobSpace(PLAN, base);
        assertThat(space.at(crashed)).isEqualTo(space.at(large));

        Setting near = Setting.of("backlog", "3900");
        var surface = new TrialSurface(PLAN, new Scoring(PLAN.objective()), List.of(base, crashed), SearchPart.ALL);
        assertThat(surface.feasible(near)).isLessThan(surface.feasible(Setting.of("backlog", "60")));
        assertThat(new TrialSurface(PLAN, new Scoring(PLAN.objective()), List.of(base), SearchPart.ALL).feasible(near))
                .isGreaterThan(surface.feasible(near));
    }

    /** What the default has and the plan does not list is no value to set, whatever else is changed. */
    @Test
    void aDefaultThatThePlanDoesNotListIsLeftAsItIs() {
        Plan plan = on(
                ServerKind.TOMCAT,
                KnobRange.interval("threads.max", 4, 1024),
                KnobRange.interval("connections.max", 1024, 4096),
                KnobRange.choices("keepalive.requests", List.of("1000", "-1")),
                KnobRange.choices("backlog", List.of("50", "400")),
                KnobRange.choices("keepalive.timeout", List.of("5000")));
        // Tomcat's: 8192 connections, 100 requests, a backlog of 100, 60 s
        KnobSpace space = space(plan, Map.of("threads.max", "25"));
        assertThat(space.setting(point(space, Setting.DEFAULT))).contains(Setting.DEFAULT);
        for (Setting s : List.of(
                Setting.of("threads.max", "300"),
                Setting.of("backlog", "400"),
                Setting.of("keepalive.requests", "-1").with("connections.max", "4096"),
                Setting.of("keepalive.timeout", "5000"))) {
            assertThat(space.setting(point(space, s))).contains(s);
        }
    }

    /** The plan's own server is the default, whether or not it is listed; what only another one has is no coordinate on this one. */
    @Test
    void theServerIsACategoryAndDecidesWhichKnobsThereAre() {
        Plan plan = on(
                ServerKind.TOMCAT,
                KnobRange.choices("server", List.of("jetty", "tomcat")),
                KnobRange.choices("threads.evict", List.of("1", "2")));
        KnobSpace space = space(plan, Map.of());
        assertThat(point(space, Setting.DEFAULT)[0]).isEqualTo(1);
        Setting jetty = Setting.of("server", "jetty").with("threads.evict", "2");
        assertThat(space.setting(point(space, jetty))).contains(jetty);
        assertThat(space.possible(Map.of("threads.evict", "2")))
                .as("Tomcat has no such knob to set")
                .contains(Setting.DEFAULT);
        assertThat(space.without(jetty, "server")).contains(Setting.DEFAULT);
        assertThat(space.changed(Setting.of("server", "tomcat"))).isEmpty();
    }

    /** What is the default on the plan's server is a value to try on another one, whose own default is another. */
    @Test
    void aServersDefaultIsItsOwn() {
        Plan plan = on(
                        ServerKind.TOMCAT,
                        KnobRange.choices("server", List.of("tomcat", "undertow")),
                        KnobRange.choices("threads.max", List.of("50", "200")),
                        KnobRange.choices("compression", List.of("false", "true")),
                        KnobRange.choices("jvm.gc", List.of("serial", "g1")))
                .withHold(Setting.of("backlog", "1024"));
        // 8 for each of two CPUs, by Undertow's own rule
        KnobSpace space = space(plan, Map.of("threads.max", "200", "compression", "false", "jvm.gc", "serial"));
        Setting undertow = plan.hold().with("server", "undertow");
        Setting many = undertow.with("threads.max", "200");
        assertThat(space.setting(point(space, many))).contains(many);
        assertThat(space.setting(point(space, undertow))).contains(undertow);
        assertThat(space.value("threads.max", undertow)).contains("16");
        assertThat(point(space, undertow)[1]).isNotEqualTo(point(space, many)[1]);
        assertThat(space.setting(point(space, plan.hold().with("threads.max", "200"))))
                .as("Tomcat's own")
                .contains(plan.hold());
        assertThat(space.setting(point(space, many.with("compression", "false").with("jvm.gc", "serial"))))
                .as("what is Undertow's default, too, and what is the JVM's")
                .contains(many);
        assertThat(space.changed(many)).extracting(KnobSpace.Dimension::knob).containsExactly("server", "threads.max");
        assertThat(space.changed(undertow.with("threads.max", "16")))
                .extracting(KnobSpace.Dimension::knob)
                .containsExactly("server");
        assertThat(space.without(many, "server")).contains(plan.hold());
        assertThat(space.gone(many, plan.hold())).as("with 200 threads both").containsExactly("server");
        SettingTrials base = seen(plan.hold(), List.of(trial(plan, plan.hold())), Optional.empty());
        assertThat(new NoveltyFilter(space, List.of(base)).allows(many)).isTrue();
        assertThat(new NoveltyFilter(space, List.of(base, TriedSettings.of(undertow, Origin.SPREAD, List.of())))
                        .allows(many))
                .isTrue();
    }

    /** By the law of the pool a server with fewer threads by default is expected to give less. */
    @Test
    void whatIsExpectedOfAnotherServerIsOfItsOwnPool() {
        Simulated large = Simulated.server(200, 0.050, 0.0000227, 1, 1000);
        Plan plan = large.plan(
                        List.of(
                                KnobRange.choices("server", List.of("tomcat", "undertow")),
                                KnobRange.choices("threads.max", List.of("50", "200"))),
                        Objective.DEFAULT,
                        Budget.DEFAULT)
                .on(new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME));
        TrialOutcome o = large.run(
                1,
                new TrialSpec(
                        Phase.SEARCH, TuneSlots.CANDIDATE, Map.of(), 0, plan.target(), Setting.DEFAULT, plan.load()));
        SettingTrials base = seen(Setting.DEFAULT, List.of(o), Optional.empty());
        var surface = new TrialSurface(plan, new Scoring(plan.objective()), List.of(base), SearchPart.ALL);
        Setting undertow = Setting.of("server", "undertow");
        assertThat(surface.guess(undertow).mean())
                .isLessThan(surface.guess(undertow.with("threads.max", "50")).mean())
                .isCloseTo(surface.guess(undertow.with("threads.max", "16")).mean(), within(1e-9));
    }

    /** A knob whose one value is the default's is no dimension; on another server that value may be another. */
    @Test
    void theDefaultAloneIsNothingToTry() {
        KnobRange threads = KnobRange.interval("threads.max", 4, 1024);
        KnobRange serial = KnobRange.choices("jvm.gc", List.of("serial"));
        KnobRange backlog = KnobRange.choices("backlog", List.of("100"));
        KnobRange g1 = KnobRange.choices("jvm.gc", List.of("g1"));
        KnobRange tomcat = KnobRange.choices("server", List.of("tomcat"));
        KnobRange jetty = KnobRange.choices("server", List.of("jetty"));
        Map<String, String> read = Map.of("jvm.gc", "serial", "backlog", "100", "threads.max", "200");
        KnobSpace space = space(on(ServerKind.TOMCAT, serial, threads, backlog, tomcat), read);
        assertThat(space.settled()).containsExactly(serial, backlog, tomcat);
        assertThat(space.dimensions()).extracting(KnobSpace.Dimension::knob).containsExactly("threads.max");
        assertThat(space(on(ServerKind.TOMCAT, serial, threads, backlog, jetty), read)
                        .settled())
                .as("Jetty has another backlog")
                .containsExactly(serial);
        assertThat(space(on(ServerKind.TOMCAT, threads, g1), read).settled()).isEmpty();
        assertThat(space(on(ServerKind.TOMCAT, threads, serial), Map.of("threads.max", "200"))
                        .settled())
                .as("a default that was not read back is not known")
                .isEmpty();
        assertThat(space(on(ServerKind.TOMCAT, serial, backlog), read).dimensions())
                .as("a search has a knob at least")
                .hasSize(2);
    }

    /** With one value to try, the default is still another place than that value. */
    @Test
    void oneValueAloneIsToldFromTheDefault() {
        KnobSpace space = space(on(ServerKind.TOMCAT, KnobRange.choices("backlog", List.of("1024"))), Map.of());
        assertThat(point(space, Setting.DEFAULT)).as("the default of 100").containsExactly(-0.5);
        assertThat(point(space, Setting.of("backlog", "1024"))).containsExactly(0);
        assertThat(point(space, Setting.of("backlog", "4000"))).containsExactly(1.5);
    }

    /** No limit is not the neighbour of the smallest one. */
    @Test
    void noLimitLiesBeyondTheLargest() {
        Plan jetty = on(ServerKind.JETTY, KnobRange.interval("connections.max", 100, 10_000));
        assertThat(point(space(jetty, Map.of("connections.max", "-1")), Setting.DEFAULT))
                .containsExactly(1.5);
        Plan level = on(
                ServerKind.JETTY,
                KnobRange.choices("compression", List.of("true")),
                KnobRange.interval("compression.level", 1, 9));
        assertThat(point(space(level, Map.of("compression.level", "-1")), Setting.of("compression", "true"))[1])
                .as("zlib's own level is neither")
                .isNaN();
    }

    /** However much failed elsewhere, a collector that was never tried is assumed to work. */
    @Test
    void whatIsUnlikeAllThatWasTriedIsAssumedToMeetTheLimits() {
        Plan plan = SERVER.plan(
                List.of(
                        KnobRange.interval("threads.max", 4, 1024),
                        KnobRange.choices("jvm.gc", List.of("serial", "g1", "parallel"))),
                Objective.DEFAULT,
                Budget.DEFAULT);
        var seen = new ArrayList<SettingTrials>();
        seen.add(measured(Setting.DEFAULT));
        for (String threads : List.of("20", "50", "150", "400", "1000")) {
            for (String gc : List.of("serial", "g1")) {
                seen.add(
                        seen(Setting.of("threads.max", threads).with("jvm.gc", gc), List.of(), Optional.of("crashed")));
            }
        }
        var surface = new TrialSurface(plan, new Scoring(plan.objective()), seen, SearchPart.ALL);
        assertThat(surface.feasible(Setting.of("threads.max", "150").with("jvm.gc", "parallel")))
                .isGreaterThan(0.5);
        assertThat(surface.feasible(Setting.of("threads.max", "100").with("jvm.gc", "serial")))
                .isLessThan(0.1);
    }
}
