package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods whose cost and remedy are known, in a trial: when they are a finding, what it says, and what tests it. */
class KnownMethodsTest {
    private static final String[] JAR = {
        "java.lang.Thread.run",
        "org.thymeleaf.templateresource.ClassLoaderTemplateResource.reader",
        "java.lang.ClassLoader.getResourceAsStream",
        "org.springframework.boot.loader.net.protocol.jar.JarUrlConnection.open"
    };
    private static final String[] REGEX = {
        "org.apache.catalina.T.run", "com.acme.Search.find", "java.util.regex.Pattern.compile"
    };

    /** Full CPUs, of whose 9.7 s so many milliseconds are in a stack, and the others in the server. */
    private static Seen full(double millis, String... stack) {
        return new Seen().cpu(0.97).profiled(millis, stack).profiled(9_700 - millis, "org.apache.coyote.T.run");
    }

    private static Optional<Finding> known(TrialOutcome trial) {
        return Diagnosis.of(trial).findings().stream()
                .filter(f -> f.rule().startsWith("known-"))
                .findFirst();
    }

    @Test
    void itNamesTheProgramsCallerTheShareAndTheRemedy() {
        List<Finding> all = Diagnosis.of(full(3_880, REGEX).trial()).findings();
        assertThat(all.getFirst()).satisfies(f -> {
            assertThat(f.rule()).isEqualTo("known-method");
            assertThat(f.title()).isEqualTo("com.acme.Search.find compiles a regular expression each time");
            assertThat(f.sentence()).startsWith(f.title()).contains("40 % of the target's CPU time");
            assertThat(f.remedy()).contains("in a constant", "https://docs.oracle.com/");
            assertThat(f.evidence()).anyMatch(e -> e.startsWith("40 % of") && e.contains("a profiler 1.0"));
        });
        assertThat(all)
                .noneMatch(f -> f.rule().equals("expensive-method") || f.rule().equals("cpu-full"));
    }

    /** 46 % of the CPU time of Spring PetClinic: below each of many callers, none of which has much. */
    @Test
    void whatManyCallersShareIsOneCost() {
        Seen s = new Seen().cpu(0.97).profiled(5_240, "org.apache.coyote.T.run");
        for (int i = 0; i < 20; i++) {
            s.profiled(223, "java.lang.Thread.run", "org.lib" + i + ".Reader.read", JAR[2], JAR[3]);
        }
        assertThat(known(s.trial()).orElseThrow().sentence()).contains("46 %");
    }

    @Test
    void aSmallShareIsNone() {
        assertThat(known(full(1_300, REGEX).trial())).isEmpty();
        assertThat(known(full(1_500, REGEX).trial())).isPresent();
    }

    @Test
    void whereTheCpusAreNotFullItLimitsNothing() {
        Seen s = new Seen().cpu(0.6).profiled(3_000, REGEX).profiled(3_000, "org.apache.coyote.T.run");
        assertThat(known(s.trial())).isEmpty();
    }

    @Test
    void whatAStartOrAWarmUpDoesIsNone() {
        assertThat(known(full(5_000, "org.springframework.boot.SpringApplication.run", JAR[3])
                        .trial()))
                .isEmpty();
        UnaryOperator<Seen> rising = s -> s.reason(SteadyState.WARM_UP_RULE, false);
        assertThat(known(full(2_500, JAR).trial())).isPresent();
        assertThat(known(rising.apply(full(2_500, JAR)).trial()))
                .as("classes that are loaded late")
                .isEmpty();
        assertThat(known(rising.apply(full(4_500, JAR)).trial()))
                .as("46 % is more than that")
                .isPresent();
        Seen regex = rising.apply(full(2_500, REGEX));
        assertThat(known(regex.trial()))
                .as("no start compiles the same expression again")
                .isPresent();
    }

    /** What the program's own code costs comes first where it is more than twice as much. */
    @Test
    void aLargerCostOfTheProgramItselfComesFirst() {
        Seen s = new Seen()
                .cpu(0.97)
                .profiled(1_700, REGEX)
                .profiled(6_000, "org.apache.coyote.T.run", "com.acme.Search.score")
                .profiled(2_000, "org.apache.coyote.T.run");
        List<Finding> all = Diagnosis.of(s.trial()).findings();
        assertThat(all.getFirst().rule()).isEqualTo("expensive-method");
        assertThat(all).anySatisfy(f -> {
            assertThat(f.rule()).isEqualTo("known-method");
            assertThat(f.severity()).isEqualTo(Severity.LIMIT);
        });
    }

    @Test
    void exceptionsAreOneFinding() {
        Seen s = full(
                4_000,
                "org.apache.coyote.T.run",
                "com.acme.Page.parse",
                "java.lang.NumberFormatException.<init>",
                "java.lang.Throwable.fillInStackTrace");
        assertThat(Diagnosis.of(s.trial()).findings())
                .filteredOn(f -> f.rule().equals("exceptions") || f.rule().equals("known-method"))
                .extracting(Finding::rule)
                .containsExactly("exceptions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"profile", "stacks"})
    void withoutAProfileTheSampledStacksShowIt(String of) {
        Seen s = of.equals("profile")
                ? full(4_000, REGEX)
                : new Seen()
                        .cpu(0.97)
                        .stacks(100, 0, 0)
                        .sighted(
                                Sighting.METHOD_RUNS,
                                "pattern-compile",
                                41,
                                "com.acme.Search.find; seen in 9 of 9 samples");
        assertThat(known(s.trial()).orElseThrow().sentence())
                .startsWith("com.acme.Search.find")
                .contains("41 %");
    }

    /** In a tune or a sweep nothing is profiled: the samples of the workers are enough. */
    @Test
    void whatLimitsATrialOfATuneNamesItToo() {
        TrialOutcome t = new Seen()
                .cpu(0.97)
                .stacks(100, 0, 0)
                .sighted(Sighting.METHOD_RUNS, "nested-jar", 46, "com.acme.Page.get; seen in 9 of 9 samples")
                .trial();
        Explanation why = Diagnosis.explain(t, List.of(t)).orElseThrow();
        assertThat(why.limit()).isEqualTo(Explanation.Limit.CPU);
        assertThat(why.sentences()).anyMatch(x -> x.contains("com.acme.Page.get") && x.contains("46 %"));
        assertThat(why.brief().sentences()).anyMatch(x -> x.startsWith("What to do: Extract the jar"));
    }

    @Test
    void aWaitThatHasARemedyIsOneWhereNothingElseExplainsIt() {
        UnaryOperator<Seen> waits = s -> s.sighted(Sighting.STACKS, Sighting.RUNS, 20, "in 9 samples")
                .sighted(Sighting.STACKS, Sighting.WAITS, 80, "in 9 samples");
        Seen lookups = waits.apply(new Seen().cpu(0.2))
                .sighted(Sighting.METHOD_WAITS, "url-equals", 40, "com.acme.Links.known; seen in 9 of 9 samples");
        assertThat(known(lookups.trial()).orElseThrow().sentence())
                .startsWith("com.acme.Links.known compares URLs")
                .contains("40 % of the busy workers");
        Seen few = waits.apply(new Seen().cpu(0.2))
                .sighted(Sighting.METHOD_WAITS, "url-equals", 20, "com.acme.Links.known; seen in 9 of 9 samples");
        assertThat(known(few.trial())).isEmpty();
        Seen full = waits.apply(new Seen().cpu(0.97))
                .sighted(Sighting.METHOD_WAITS, "url-equals", 40, "com.acme.Links.known; seen in 9 of 9 samples");
        assertThat(known(full.trial())).as("who waits may wait for a CPU").isEmpty();
    }

    @Test
    void garbageThatHasARemedyIsOneWhereTheCollectorIsBusy() {
        var allocated = new Profile.Builder();
        allocated.add(
                List.of("org.apache.T.run", "com.acme.Page.get", "com.fasterxml.jackson.databind.ObjectMapper.<init>"),
                60);
        allocated.add(List.of("org.apache.T.run"), 40);
        UnaryOperator<TrialOutcome> profiled = t -> t.withEvidence(t.evidence()
                .map(e -> e.withProfiles(List.of(allocated.build(Profile.Kind.ALLOC, "a profiler", 10)))));
        assertThat(known(profiled.apply(new Seen().gc(0.3).trial()))
                        .orElseThrow()
                        .rule())
                .isEqualTo("known-allocation");
        assertThat(known(profiled.apply(new Seen().gc(0.02).trial()))).isEmpty();
    }

    // -- its test ----------------------------------------------------------------------------------------------------

    private static Target boot() {
        return new Target.Boot("/srv/app.jar", ServerKind.TOMCAT, "4.0", List.of(), Target.Jvm.SAME, Setting.DEFAULT);
    }

    private static Optional<TrialSpec> test(TrialOutcome trial) {
        return RefutationTrial.of(known(trial).orElseThrow(), trial);
    }

    @Test
    void whatASettingCuresIsTestedWithIt() {
        TrialOutcome nested = full(4_500, JAR).target(boot()).trial();
        assertThat(test(nested).orElseThrow().setting().get("boot.layout")).hasValue("extracted");
        TrialOutcome extracted = nested.withSpec(
                nested.spec().withSetting(nested.spec().setting().with("boot.layout", "extracted")));
        assertThat(test(extracted).orElseThrow().setting())
                .isEqualTo(extracted.spec().setting());
        TrialOutcome embedded = full(4_500, JAR).trial();
        assertThat(test(embedded).orElseThrow().setting().get("boot.layout")).isEmpty();
        assertThat(test(embedded).orElseThrow().load().connections())
                .as("else with more clients")
                .isEqualTo(2 * embedded.spec().load().connections());
        TrialOutcome leaks = full(4_500, "io.netty.T.run", "io.netty.util.ResourceLeakDetector.track")
                .target(boot())
                .trial();
        TrialOutcome flagged =
                leaks.withSpec(leaks.spec().withSetting(leaks.spec().setting().with("jvm.flags", "-Xss1m")));
        assertThat(test(flagged).orElseThrow().setting().get("jvm.flags"))
                .hasValue("-Xss1m -Dio.netty.leakDetection.level=disabled");
    }

    @Test
    void aWaitIsTestedWithItToo() {
        Seen waits = new Seen()
                .cpu(0.2)
                .target(boot())
                .sighted(Sighting.STACKS, Sighting.WAITS, 80, "in 9 samples")
                .sighted(Sighting.METHOD_WAITS, "nested-jar", 40, "com.acme.Page.get; seen in 9 of 9 samples");
        assertThat(test(waits.trial()).orElseThrow().setting().get("boot.layout"))
                .hasValue("extracted");
        Seen others = new Seen()
                .cpu(0.2)
                .target(boot())
                .sighted(Sighting.STACKS, Sighting.WAITS, 80, "in 9 samples")
                .sighted(Sighting.METHOD_WAITS, "url-equals", 40, "com.acme.Page.get; seen in 9 of 9 samples");
        assertThat(test(others.trial())).as("nothing to try").isEmpty();
        TrialOutcome disturbed = waits.reason("disturbed", true).trial();
        assertThat(DiagnoseExperiment.conclude(disturbed, Optional.empty()).bottleneck())
                .as("who waits for a lock may wait for a holder whose CPU others have")
                .isEmpty();
    }

    @Test
    void twiceAsMuchWithTheJarExtractedConfirmsIt() {
        TrialOutcome nested =
                full(4_500, JAR).clients(100, 218, 0.45).target(boot()).trial();
        TrialOutcome better =
                full(100, JAR).clients(100, 405, 0.25).target(boot()).trial();
        DiagnoseConclusion c = DiagnoseExperiment.conclude(nested, Optional.of(better));
        assertThat(c.bottleneck().orElseThrow().test().orElseThrow().outcome()).isEqualTo(Finding.Outcome.CONFIRMED);
        TrialOutcome same =
                full(100, JAR).clients(100, 220, 0.45).target(boot()).trial();
        assertThat(DiagnoseExperiment.conclude(nested, Optional.of(same)).others())
                .filteredOn(f -> f.rule().equals("known-method"))
                .hasSize(1)
                .allSatisfy(f -> assertThat(f.test().orElseThrow().outcome()).isEqualTo(Finding.Outcome.REFUTED));
    }
}
