package dev.fettle.report.recommend;

import static dev.fettle.report.Fixtures.HOLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.config.render.ContainerTexts;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.Fixtures;
import dev.fettle.report.RunReport;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.text.Runs;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RecommendedConfigTest {
    private static final Target BOOT =
            new Target.Boot("/srv/app.jar", ServerKind.TOMCAT, "4.1.1", List.of(), Target.Jvm.SAME, Setting.DEFAULT);

    /** A tune whose winner is this, over the fixtures' held backlog. */
    private static RunReport won(Target target, Setting winner) {
        RunReport run = Runs.tune(target);
        var t = (TuneConclusion) run.conclusion().orElseThrow();
        var changed = t.with()
                .winner(t.baseline().with(winner))
                .shortfalls(List.of())
                .proof(Optional.empty())
                .shares(List.of())
                .tradeOff(Optional.empty())
                .build();
        return new RunReport(
                run.runId(),
                run.kind(),
                run.plan(),
                run.started(),
                run.took(),
                run.environment(),
                run.outcomes(),
                Optional.of(changed),
                run.complete());
    }

    /** What the plan says of the application's own knob is what is put back to undo it. */
    @Test
    void theDefaultThatThePlanGivesIsNamed() {
        RunReport run = won(BOOT, Setting.of("own.pool", "40"));
        OwnKnob pool = new OwnKnob(
                "own.pool",
                Knob.Type.INT,
                Knob.Scale.LOG,
                1,
                200,
                List.of(),
                Optional.of("10"),
                "connections",
                "the most that HikariCP keeps",
                new OwnKnob.Property("spring.datasource.hikari.maximum-pool-size"),
                Optional.empty());
        for (boolean given : new boolean[] {true, false}) {
            Plan plan = run.plan().withOwn(List.of(given ? pool : pool.withByDefault(Optional.empty())));
            assertThat(text(run.withPlan(plan), ConfigPlace.SPRING_BOOT, false))
                    .contains("own.pool = 40, was " + (given ? "10" : "the default"));
        }
        assertThat(new HtmlReport().render(run.withPlan(run.plan().withOwn(List.of(pool)))))
                .contains("own.pool", "the most that HikariCP keeps (in connections; 10 by default)");
    }

    /** Modules and properties are a release's own. */
    @Test
    void theReleaseThatWasMeasuredIsNamed() {
        Target jetty = new Target.Embedded(ServerKind.JETTY, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        RunReport run = won(jetty, Setting.of("threads.max", "318"));
        var known = new RunReport(
                run.runId(),
                run.kind(),
                run.plan(),
                run.started(),
                run.took(),
                run.environment(),
                run.outcomes().stream()
                        .map(o -> o.withEvidence(
                                o.evidence().map(e -> e.withFacts(Map.of("serverVersion", "Jetty/12.1.12")))))
                        .toList(),
                run.conclusion(),
                run.complete());
        assertThat(text(known, ConfigPlace.JETTY, false))
                .contains("\n# measured on Jetty 12.1.12: other releases may lack");
        Target undertow =
                new Target.Boot("a.jar", ServerKind.UNDERTOW, "3.5.16", List.of(), Target.Jvm.SAME, Setting.DEFAULT);
        assertThat(text(won(undertow, Setting.of("threads.max", "318")), ConfigPlace.SPRING_BOOT, false))
                .contains("# Spring Boot 4 has no Undertow, and ignores server.undertow.*\n");
        assertThat(text(won(BOOT, Setting.of("threads.max", "318")), ConfigPlace.SPRING_BOOT, false))
                .doesNotContain("Undertow");
    }

    /** Its configuration is for the server that won, and says which one was before. */
    @Test
    void theServerThatWonIsTheOneConfigured() {
        Target tomcat = new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        RunReport moved = RecommendedConfig.moved(
                won(tomcat, Setting.of("server", "jetty").with("threads.max", "318")), false);
        assertThat(moved.plan().target().knownServer()).contains(ServerKind.JETTY);
        assertThat(text(moved, ConfigPlace.of(moved.plan().target()), false))
                .contains("jetty.threadPool.maxThreads=318", "# server = jetty, was tomcat")
                .doesNotContain("server=jetty");
        RunReport alone = won(tomcat, Setting.of("server", "undertow"));
        assertThat(ConfigSnippets.of(alone))
                .as("and what was held is not written")
                .isEmpty();
        assertThat(ConfigSnippets.of(
                        won(tomcat, Setting.of("server", "undertow").with("threads.max", "64"))))
                .extracting(ConfigSnippet::title)
                .contains("Undertow: builder");
        assertThat(new RecommendedConfig(RecommendedConfig.moved(alone, false), ConfigPlace.UNDERTOW, false).files())
                .as("the server itself is no line of a configuration")
                .isEmpty();
        RunReport same = won(tomcat, Setting.of("threads.max", "318"));
        assertThat(RecommendedConfig.moved(same, true)).isSameAs(same);
    }

    /** What was tried on one server is not written for another: its threads are no value that Tomcat was tried with. */
    @Test
    void whatWasTriedOnAnotherServerIsWrittenForThatOne() {
        Target tomcat = new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        RunReport run = won(tomcat, Setting.of("server", "jetty").with("threads.max", "64"));
        var t = (TuneConclusion) run.conclusion().orElseThrow();
        RunReport same = new RunReport(
                run.runId(),
                run.kind(),
                run.plan(),
                run.started(),
                run.took(),
                run.environment(),
                run.outcomes(),
                Optional.of(t.withResult(TuneConclusion.Result.NO_IMPROVEMENT_SHOWN)),
                run.complete());
        assertThat(RecommendedConfig.moved(same, false)).isSameAs(same);
        RunReport moved = RecommendedConfig.moved(same, true);
        assertThat(moved.plan().target().knownServer()).contains(ServerKind.JETTY);
        assertThat(text(moved, ConfigPlace.of(moved.plan().target()), true))
                .contains(
                        "jetty.threadPool.maxThreads=64",
                        "# server = jetty, was tomcat (tried: no effect was shown)",
                        "nothing here was shown to be better")
                .doesNotContain("maxThreads=\"64\"");
    }

    private static String text(RunReport run, ConfigPlace place, boolean all) {
        return new RecommendedConfig(run, place, all)
                .files().stream().map(f -> f.path() + "\n" + f.text()).collect(Collectors.joining("\n"));
    }

    @Test
    void onlyWhatWasShownIsWrittenAndTheRestOnlyWhenAsked() {
        String shown = text(Runs.tune(), ConfigPlace.TOMCAT, false);
        assertThat(shown)
                .contains("conf/server.xml", "maxThreads=\"318\"", "Fettle run login-3: throughput +38.2 %")
                .doesNotContain("acceptCount=");
        assertThat(text(Runs.tune(), ConfigPlace.TOMCAT, true))
                .contains(
                        "maxThreads=\"318\"",
                        "acceptCount=\"1024\"",
                        "backlog = 1024, was 1024 (held: its effect was not tested)");
    }

    @ParameterizedTest
    @CsvSource({
        "TOMCAT, 17, 'JAVA_HOME=/path/to/jdk-17'",
        "TOMCAT, /opt/my jdk, 'JAVA_HOME=''/opt/my jdk'''",
        "SYSTEMD, /opt/jdk, 'Environment=\"JAVA_HOME=/opt/jdk\"'",
        "SYSTEMD, 17, 'Environment=\"JAVA_HOME=/path/to/jdk-17\"'",
        "DOCKER, 17, 'FROM eclipse-temurin:17'",
        "KUBERNETES, /opt/jdk, '# an image with the JDK that is here: JAVA_HOME=/opt/jdk'"
    })
    void aJdkGoesWhereTheServerIsStarted(ConfigPlace place, String java, String line) {
        assertThat(text(won(Runs.tune().plan().target(), Setting.of("jvm.java", java)), place, false))
                .contains(line)
                .contains("jvm.java = " + java + ", was the default");
    }

    @Test
    void eachValueHasItsReasonAndTheWayBack() {
        assertThat(text(Runs.tune(), ConfigPlace.TOMCAT, false))
                .contains(
                        "threads.max = 318, was 200",
                        "Before: ",
                        "With it: ",
                        "Undo: put back threads.max = 200, and restart");
        assertThat(new RecommendedConfig(Runs.tune(), ConfigPlace.TOMCAT, true).reasons())
                .containsExactlyInAnyOrder(
                        new RecommendationReasons.Reason("threads.max", "318", "200", true),
                        new RecommendationReasons.Reason("backlog", "1024", "1024", false));
    }

    @Test
    void nothingIsWrittenWhereNothingWasShown() {
        var config = new RecommendedConfig(Runs.aa(), ConfigPlace.TOMCAT, false);
        assertThat(config.files()).isEmpty();
        assertThat(config.setting().isDefault()).isTrue();
        assertThat(text(Runs.aa(), ConfigPlace.TOMCAT, true))
                .contains(
                        "acceptCount=",
                        "no improvement shown; nothing here was shown to be better than the default",
                        "backlog = 1024, was 1024 (held: its effect was not tested)",
                        "threads.max = 318, was 200 (tried: no effect was shown)")
                .doesNotContain("With it:", "throughput +");
    }

    @Test
    void aRunThatIsNoFinishedTuneIsNamedAsWhatItIs() {
        assertThatThrownBy(() -> new RecommendedConfig(Runs.sweep1(), ConfigPlace.TOMCAT, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a sweep; a configuration comes from a finished tune or comparison");
        assertThatThrownBy(() -> new RecommendedConfig(Runs.partial(), ConfigPlace.TOMCAT, false))
                .hasMessageContaining("fettle resume");
    }

    /** A comparison of a small pool with others; a ratio is that of the small one over the other, under each condition. */
    private static RunReport compared(List<Variant> others, Interval... ratios) {
        var variants = new ArrayList<>(List.of(new Variant(
                "small", Fixtures.TOMCAT, HOLD.with(Setting.of(Map.of("threads.max", "8", "threads.min", "4"))))));
        variants.addAll(others);
        List<CompareConclusion.Condition> conditions = Arrays.stream(ratios)
                .map(r -> new CompareConclusion.Condition(
                        Map.of(),
                        List.of(),
                        others.stream()
                                .map(o -> new CompareConclusion.Contrast(
                                        "small",
                                        o.name(),
                                        5,
                                        r,
                                        r.high() < 0.98 || r.low() > 1.02,
                                        OptionalFigure.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        List.of(),
                                        Optional.empty()))
                                .toList(),
                        List.of()))
                .toList();
        Plan p = Fixtures.plan("pools", Fixtures.TOMCAT, List.of());
        var plan = p.withCompare(
                Optional.of(new Plan.Compare(variants, List.of(), 5, Optional.empty(), false, Optional.empty())));
        var seen = Fixtures.valid(
                1,
                Fixtures.spec(Phase.COMPARE, "small", Map.of(), 0, Setting.of("threads.max", "8")),
                Fixtures.measurement(100, 10, 0.1, 1),
                Map.of("keepalive.requests", "100"));
        return Fixtures.run(
                "compare",
                plan,
                List.of(seen),
                Optional.of(new CompareConclusion(
                        "found", p.objective().metric(), conditions, List.of(), Optional.empty(), List.of())));
    }

    private static Variant large(Map<String, String> setting) {
        return new Variant("large", Fixtures.TOMCAT, HOLD.with(Setting.of(setting)));
    }

    private static final Interval FASTER = new Interval(0.8, 0.75, 0.85, 0.95);
    private static final Interval MUCH_FASTER = new Interval(0.5, 0.45, 0.55, 0.95);
    private static final Interval SAME = new Interval(1.0, 0.97, 1.03, 0.95);
    private static final Interval SLOWER = new Interval(1.2, 1.15, 1.25, 0.95);

    @Test
    void aComparisonGivesWhatTheFasterVariantHasAndTheFirstHasNot() {
        Variant large = large(Map.of("threads.max", "64", "threads.min", "4", "keepalive.requests", "-1"));
        var config = new RecommendedConfig(compared(List.of(large), FASTER), ConfigPlace.TOMCAT, false);
        assertThat(config.headline())
                .isEqualTo("'large' was shown to be better than 'small': throughput +25.0 % [17.6, 33.3]");
        assertThat(config.reasons())
                .containsExactlyInAnyOrder(
                        new RecommendationReasons.Reason("threads.max", "64", "8", true),
                        new RecommendationReasons.Reason("keepalive.requests", "-1", "100", true));
        assertThat(config.files())
                .singleElement()
                .satisfies(f -> assertThat(f.text())
                        .contains(
                                "maxThreads=\"64\"",
                                "maxKeepAliveRequests=\"-1\"",
                                "Fettle run pools-3: throughput +25.0 % [17.6, 33.3] against the variant 'small', with backlog=1024 held in"
                                        + " both",
                                "threads.max = 64, was 8",
                                "Undo: put back ")
                        .doesNotContain("acceptCount", "minSpareThreads"));
    }

    @Test
    void whatFailedInSomeBlockIsNotWritten() {
        RunReport run = compared(List.of(large(Map.of("threads.max", "64"))), MUCH_FASTER);
        var c = (CompareConclusion) run.conclusion().orElseThrow();
        var contrast = new CompareConclusion.Contrast(
                "small",
                "large",
                3,
                MUCH_FASTER,
                false,
                OptionalFigure.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.of("large can't be called better than small, as it failed"));
        var failed = new CompareConclusion(
                c.headline(),
                c.metric(),
                List.of(new CompareConclusion.Condition(Map.of(), List.of(), List.of(contrast), List.of())),
                c.notes(),
                Optional.empty(),
                List.of());
        var config = recommended(run, failed);
        assertThat(config.files()).isEmpty();
        assertThat(config.headline()).isEqualTo("large can't be called better than small, as it failed");
    }

    /** What is recommended for Tomcat after a run that concluded so. */
    private static RecommendedConfig recommended(RunReport run, CompareConclusion conclusion) {
        return new RecommendedConfig(
                new RunReport(
                        run.runId(),
                        run.kind(),
                        run.plan(),
                        run.started(),
                        run.took(),
                        run.environment(),
                        run.outcomes(),
                        Optional.of(conclusion),
                        run.complete()),
                ConfigPlace.TOMCAT,
                false);
    }

    @Test
    void theGainInASpikeIsOneOfItsGoodAnswers() {
        RunReport run = compared(List.of(large(Map.of("threads.max", "64"))), FASTER);
        var c = (CompareConclusion) run.conclusion().orElseThrow();
        var spiked = new CompareConclusion(
                c.headline(),
                c.metric(),
                c.conditions(),
                c.notes(),
                Optional.of(new CompareConclusion.Spike(400, 2, 5, "p99<50ms")),
                List.of());
        var config = recommended(run, spiked);
        assertThat(config.headline())
                .startsWith(
                        "'large' was shown to be better than 'small': good answers in the spike +25.0 % [17.6, 33.3]");
    }

    @Test
    void aValueThatBothVariantsHaveWasNotTried() {
        Variant large = large(Map.of("threads.max", "64", "threads.min", "4"));
        assertThat(text(compared(List.of(large), FASTER), ConfigPlace.TOMCAT, true))
                .contains(
                        "threads.max = 64, was 8",
                        "threads.min = 4, was 4 (the same in both: its effect was not tested)",
                        "backlog = 1024, was 1024 (held: its effect was not tested)")
                .doesNotContain("no effect was shown");
    }

    @Test
    void ofSeveralVariantsTheFastestInEveryConditionIsWrittenWithTheLeastOfItsGains() {
        Variant large = large(Map.of("threads.max", "64"));
        var config = new RecommendedConfig(compared(List.of(large), MUCH_FASTER, FASTER), ConfigPlace.TOMCAT, false);
        assertThat(config.headline())
                .contains("throughput +25.0 % [17.6, 33.3] or more in each of 2 conditions")
                .endsWith("'large' leaves alone threads.min, which 'small' sets");
    }

    static Stream<Arguments> nothingToWrite() {
        var set = Map.of("threads.max", "64");
        var elsewhere = new Variant(
                "jetty",
                new Target.Embedded(ServerKind.JETTY, "login", Map.of(), Optional.empty(), Target.Jvm.SAME),
                HOLD.with(Setting.of(set)));
        return Stream.of(
                Arguments.of(compared(List.of(large(set)), SAME), "'large' was not shown to be better than 'small'"),
                Arguments.of(compared(List.of(large(set)), SLOWER), "'large' was shown to be worse than 'small'"),
                Arguments.of(
                        compared(List.of(large(set)), FASTER, SAME),
                        "'large' was shown to be better than 'small' in 1 of 2 conditions only, and a configuration applies"
                                + " in all of them"),
                Arguments.of(
                        compared(List.of(large(set), new Variant("huge", Fixtures.TOMCAT, HOLD)), SAME),
                        "none of the variants was shown to be better than the first, 'small'"),
                Arguments.of(
                        compared(List.of(elsewhere), FASTER),
                        "'jetty' was shown to be better than 'small', but not by a setting: it is another target"));
    }

    @ParameterizedTest
    @MethodSource("nothingToWrite")
    void aComparisonThatShowsNoFasterSettingSaysWhyNothingIsWritten(RunReport run, String why) {
        var config = new RecommendedConfig(run, ConfigPlace.TOMCAT, false);
        assertThat(config.files()).isEmpty();
        assertThat(config.headline()).isEqualTo(why);
        assertThat(text(run, ConfigPlace.TOMCAT, true))
                .contains(
                        "nothing was shown for these values",
                        "backlog = 1024, was 1024 (held: its effect was not tested)")
                .doesNotContain("maxThreads");
    }

    @Test
    void oneServersResultSaysNothingAboutAnother() {
        assertThatThrownBy(() -> new RecommendedConfig(Runs.tune(), ConfigPlace.JETTY, false))
                .hasMessage("login-3 was measured on tomcat; that says nothing about jetty");
        assertThatThrownBy(() -> new RecommendedConfig(Runs.tune(Fixtures.COMMAND), ConfigPlace.SPRING_BOOT, false))
                .hasMessageContaining("is not known");
        assertThatThrownBy(() -> new RecommendedConfig(Runs.tune(), ConfigPlace.COMMAND_LINE, false))
                .hasMessageContaining("--for tomcat");
    }

    @Test
    void bootsOwnWords() throws Exception {
        Setting winner = Setting.of(Map.of("threads.max", "318", "keepalive.timeout", "60000", "jvm.heap", "512m"));
        assertThat(text(won(BOOT, winner), ConfigPlace.SPRING_BOOT, false))
                .contains("java -Xms512m -Xmx512m -jar app.jar", "application.properties");
        Setting extracted = winner.with("boot.layout", "extracted");
        assertThat(text(won(BOOT, extracted), ConfigPlace.SPRING_BOOT, false))
                .contains("java -Djarmode=tools -jar app.jar extract\njava -Xms512m -Xmx512m -jar app/app.jar\n");
        for (ConfigPlace place : List.of(ConfigPlace.SYSTEMD, ConfigPlace.DOCKER, ConfigPlace.KUBERNETES)) {
            assertThat(text(won(BOOT, extracted), place, false))
                    .as(place.id())
                    .contains("java -Djarmode=tools -jar app.jar extract\njava -jar app/app.jar\n");
        }
        var properties = new Properties();
        properties.load(new StringReader(new RecommendedConfig(won(BOOT, winner), ConfigPlace.SPRING_BOOT, false)
                .files()
                .getFirst()
                .text()));
        assertThat(properties)
                .containsOnly(
                        Map.entry("server.tomcat.threads.max", "318"),
                        Map.entry("server.tomcat.keep-alive-timeout", "60000ms"));
    }

    @Test
    void wildFlyHasCommandsTheWayBackAndWhatHasNoPlace() {
        Target undertow =
                new Target.Embedded(ServerKind.UNDERTOW, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        Setting winner = Setting.of(Map.of(
                "threads.max", "318",
                "connections.max", "-1",
                "keepalive.timeout", "-1",
                "admission.max", "300",
                "admission.queue", "20",
                "compression", "true",
                "queue.max", "50",
                "jvm.heap", "512m"));
        assertThat(text(won(undertow, winner), ConfigPlace.WILDFLY, false))
                .contains(
                        "# not verified: Fettle starts no WildFly",
                        "# queue.max=50 has no place in WildFly's management model",
                        "WildFly has other defaults, which this leaves alone: threads.min 2,",
                        "/subsystem=io/worker=default:read-attribute(name=task-max-threads)",
                        "/subsystem=io/worker=default:write-attribute(name=task-max-threads,value=318)",
                        // no limit is no value there
                        "/subsystem=undertow/server=default-server/http-listener=default:undefine-attribute(name=max-connections)",
                        "http-listener=default:write-attribute(name=no-request-timeout,value=-1)",
                        "/subsystem=undertow/configuration=filter/request-limit=fettle-limit:add(max-concurrent-requests=300,queue-size=20)",
                        "/subsystem=undertow/server=default-server/host=default-host/filter-ref=fettle-limit:add()",
                        "/subsystem=undertow/configuration=filter/gzip=fettle-gzip:add()",
                        "fettle-undo.cli",
                        "filter-ref=fettle-limit:remove()",
                        "JAVA_OPTS=\"$JAVA_OPTS -Xms512m -Xmx512m\"");
        assertThatThrownBy(() -> new RecommendedConfig(Runs.tune(), ConfigPlace.WILDFLY, false))
                .hasMessage("login-3 was measured on tomcat; that says nothing about wildfly");
    }

    @Test
    void aCommandHasItsJvmsFlags() {
        Target command = new Target.Command(
                List.of(List.of("{java}"), List.of("{jvm}"), List.of("-jar", "a.jar")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of("jvm.flags", ""),
                new Target.Jvm(Optional.empty(), List.of("-ea")));
        assertThat(text(won(command, Setting.of("jvm.heap", "512m")), ConfigPlace.COMMAND_LINE, false))
                .contains("java \\\n  -ea -Xms512m -Xmx512m \\\n  -jar a.jar");
    }

    @Test
    void jvmFlagsGoWhereEachServerReadsThem() {
        Setting heap = Setting.of("jvm.heap", "512m");
        assertThat(text(won(Fixtures.TOMCAT, heap), ConfigPlace.TOMCAT, false))
                .contains("bin/setenv.sh", "CATALINA_OPTS=\"$CATALINA_OPTS -Xms512m -Xmx512m\"");
        Target jetty = new Target.Embedded(ServerKind.JETTY, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        assertThat(text(won(jetty, heap), ConfigPlace.JETTY, false))
                .contains("start.d/zz-fettle-jvm.ini", "--exec\n-Xms512m\n-Xmx512m\n");
    }

    @Test
    void whatAShellWouldReadInTheFlagsIsQuoted() {
        Setting flags = Setting.of("jvm.flags", "-Da=$(x) -Db=`y` -Dc=\"z\" -Dd=\\");
        assertThat(text(won(Fixtures.TOMCAT, flags), ConfigPlace.TOMCAT, false))
                .contains("CATALINA_OPTS=\"$CATALINA_OPTS '-Da=\\$(x)' '-Db=\\`y\\`' '-Dc=\\\"z\\\"' '-Dd=\\\\'\"\n");
        assertThat(text(won(BOOT, flags), ConfigPlace.DOCKER, false))
                .contains("-e 'JAVA_TOOL_OPTIONS=-Da=$(x) -Db=`y` '\\''-Dc=\"z\"'\\'' -Dd=\\'");
    }

    @Test
    void aUnitOfSystemd() {
        Setting winner = Setting.of(Map.of("process.nofile", "65536", "process.cpus", "4", "jvm.flags", "-Dp=10%"));
        assertThat(text(won(Fixtures.TOMCAT, winner), ConfigPlace.SYSTEMD, false))
                .contains(
                        "/etc/systemd/system/UNIT.service.d/fettle.conf",
                        "[Service]\nEnvironment=\"JAVA_TOOL_OPTIONS=-Dp=10%%\"\n",
                        "LimitNOFILE=65536\n",
                        "CPUAffinity=0-3\n");
        assertThat(text(won(Fixtures.TOMCAT, winner.with("threads.max", "300")), ConfigPlace.SYSTEMD, false))
                .contains("conf/server.xml", "maxThreads=\"300\"");
    }

    @Test
    @SuppressWarnings("unchecked")
    void aDeploymentOfKubernetesIsYamlWithTheValuesInPlace() throws Exception {
        Setting winner =
                Setting.of(Map.of("threads.max", "318", "process.cpus", "2", "jvm.gc", "z", "process.nofile", "65536"));
        ConfigFile file = new RecommendedConfig(won(BOOT, winner), ConfigPlace.KUBERNETES, false)
                .files()
                .getFirst();
        assertThat(file.text()).contains("# process.nofile=65536 has no field in a pod");
        var read = (Map<String, Object>) new YAMLMapper().readValue(file.text(), Map.class);
        assertThat(new ObjectMapper()
                        .valueToTree(read)
                        .at("/spec/template/spec/containers/0")
                        .toString())
                .isEqualTo(
                        "{\"name\":\"CONTAINER\",\"env\":[{\"name\":\"JAVA_TOOL_OPTIONS\",\"value\":\"-XX:+UseZGC\"},"
                                + "{\"name\":\"SERVER_TOMCAT_THREADS_MAX\",\"value\":\"318\"}],"
                                + "\"resources\":{\"requests\":{\"cpu\":\"2\"},\"limits\":{\"cpu\":\"2\"}}}");
    }

    @Test
    void optionsOfDocker() {
        Setting winner = Setting.of(Map.of("threads.max", "318", "process.cpus", "2", "process.nofile", "65536"));
        assertThat(text(won(BOOT, winner), ConfigPlace.DOCKER, false))
                .contains(
                        "docker run -e SERVER_TOMCAT_THREADS_MAX=318",
                        "--cpuset-cpus 0-1",
                        "--ulimit nofile=65536:65536",
                        "IMAGE");
    }

    @Test
    void aCommandsOwnLine() {
        assertThat(text(Runs.tune(Fixtures.COMMAND), ConfigPlace.of(Fixtures.COMMAND), false))
                .contains("--container-threads 318");
    }

    @ParameterizedTest
    @CsvSource({
        "server.tomcat.threads.max, SERVER_TOMCAT_THREADS_MAX",
        "server.tomcat.max-keep-alive-requests, SERVER_TOMCAT_MAXKEEPALIVEREQUESTS",
        "server.max-http-request-header-size, SERVER_MAXHTTPREQUESTHEADERSIZE",
        "app.pools[0].max-size, APP_POOLS_0_MAXSIZE"
    })
    void propertiesAsEnvironmentVariables(String property, String variable) {
        assertThat(ContainerTexts.variable(property)).isEqualTo(variable);
    }

    @ParameterizedTest
    @EnumSource(ConfigPlace.class)
    void everyPlaceEitherWritesOrSaysWhyNot(ConfigPlace place) {
        for (Target target : List.of(Fixtures.TOMCAT, Fixtures.COMMAND, BOOT)) {
            try {
                var config = new RecommendedConfig(Runs.tune(target), place, true);
                assertThat(config.files()).allSatisfy(f -> {
                    assertThat(f.path()).isNotBlank();
                    assertThat(f.text()).endsWith("\n");
                    assertThat(f.kind() == ConfigFile.Kind.TEMPLATE || f.text().contains("login-3"))
                            .isTrue();
                });
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
    }
}
