package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.run.HostFacts;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.OwnKnobs;
import dev.fettle.config.boot.BootConfiguration;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.jetty.JettyInis;
import dev.fettle.config.process.JvmLine;
import dev.fettle.config.process.ProcessStart;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.config.tomcat.Setenv;
import dev.fettle.config.tomcat.TomcatXml;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import dev.fettle.report.RunReport;
import dev.fettle.report.recommend.RecommendedConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is rendered for a place is, read by whoever reads that place's files, the setting again. */
class RenderedIsReadTest {
    private static final String SERVER_XML = """
            <Server><Service>
              <Connector port="8080"/>
              <Engine defaultHost="l"><Host name="l" appBase="webapps"/></Engine>
            </Service></Server>
            """;

    private static Arbitrary<String> value(Knob knob, ServerKind server) {
        return switch (knob.type()) {
            case INT, DURATION, SIZE ->
                Arbitraries.longs().between(knob.least(), knob.max()).map(knob::text);
            case BOOL, ENUM, TEXT, FLAGS, JDK ->
                Arbitraries.just(knob.canonical(knob.on(server).trial()));
        };
    }

    /** Some knobs at some values, with what they need, and without what is a default and so is not written. */
    private static Arbitrary<Setting> settings(ServerKind server, Predicate<Knob> wanted) {
        List<Knob> knobs = Knobs.all().stream()
                .filter(k -> k.on(server).applies()
                        && k.type() != Knob.Type.FLAGS
                        && k.type() != Knob.Type.JDK
                        && wanted.test(k))
                .filter(k -> !k.name().equals("threads.virtual") && !k.name().equals("jvm.heap.percent"))
                .toList();
        return Arbitraries.of(knobs).set().ofMinSize(1).ofMaxSize(10).flatMap(some -> {
            Arbitrary<Setting> all = Arbitraries.just(Setting.DEFAULT);
            for (Knob knob : some) {
                all = all.flatMap(s -> value(knob, server).map(v -> {
                    Setting with = s.with(knob.name(), v);
                    for (var need : knob.needs().entrySet()) {
                        Knob other = Knobs.find(need.getKey()).orElseThrow();
                        String wants = need.getValue();
                        if (with.get(other.name()).isEmpty() || !wants.isEmpty()) {
                            with = with.with(
                                    other.name(),
                                    wants.isEmpty()
                                            ? other.canonical(other.on(server).trial())
                                            : wants);
                        }
                    }
                    return with;
                }));
            }
            return all;
        });
    }

    private static Setting written(ServerKind server, Setting setting, Predicate<Knob> which) {
        return Setting.of(setting.values().entrySet().stream()
                .filter(e -> which.test(Knobs.find(e.getKey()).orElseThrow()))
                .filter(e -> !Knobs.find(e.getKey())
                        .orElseThrow()
                        .on(server)
                        .byDefault()
                        .equals(e.getValue()))
                .filter(e -> !OwnKnobs.isNoLimit(server, e.getKey(), e.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    private static boolean ofServer(Knob knob) {
        return knob.part() == Knob.Part.SERVER;
    }

    private static boolean ofJvm(Knob knob) {
        return knob.part() == Knob.Part.JVM;
    }

    private static List<ConfigFile> rendered(Target target, ConfigPlace place, Setting winner) {
        var plan = new PlanReader(2, 4096).read("p.yaml", """
                name: page
                target: {server: tomcat, app: hello}
                load: {connections: 10}
                knobs: {backlog: {from: 10, to: 400}}
                """).withTargets(t -> target);
        var found = new TuneConclusion(
                TuneConclusion.Result.IMPROVED,
                "",
                Setting.DEFAULT,
                winner,
                Optional.of(new Interval(1.4, 1.3, 1.5, 0.95)),
                Optional.empty(),
                1.01,
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
        var run = new RunReport(
                "page-1",
                "tune",
                plan,
                Instant.EPOCH,
                Duration.ZERO,
                HostFacts.environment(Map.of()),
                List.of(),
                Optional.of(found),
                true);
        return new RecommendedConfig(run, place, false).files();
    }

    private static Target embedded(ServerKind server) {
        return new Target.Embedded(server, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
    }

    private static Target boot(ServerKind server) {
        return new Target.Boot("app.jar", server, "3.5.16", List.of(), Target.Jvm.SAME, Setting.DEFAULT);
    }

    private static Optional<String> text(List<ConfigFile> files, Kind kind) {
        return files.stream()
                .filter(f -> f.kind() == kind)
                .map(ConfigFile::text)
                .findFirst();
    }

    @Provide
    Arbitrary<Setting> tomcat() {
        return settings(
                ServerKind.TOMCAT, k -> ofJvm(k) || k.on(ServerKind.TOMCAT).inFiles());
    }

    @Property(tries = 60)
    void elementsOfServerXmlAndSetenv(@ForAll("tomcat") Setting setting) throws Exception {
        List<ConfigFile> files = rendered(embedded(ServerKind.TOMCAT), ConfigPlace.TOMCAT, setting);
        String fragment = text(files, Kind.SERVER_XML).orElse("");
        String merged = TomcatXml.read("server.xml", SERVER_XML).merged(fragment);
        assertThat(TomcatXml.read("server.xml", merged).setting())
                .isEqualTo(written(ServerKind.TOMCAT, setting, RenderedIsReadTest::ofServer));

        var setenv = Setenv.read("setenv.sh", text(files, Kind.SETENV).orElse(""), Map.of());
        assertThat(setenv.findings()).allMatch(f -> f.contains("$CATALINA_OPTS"));
        assertThat(JvmLine.read(setenv.flags())).isEqualTo(all(setting, RenderedIsReadTest::ofJvm));
    }

    @Provide
    Arbitrary<Setting> jetty() {
        return settings(
                ServerKind.JETTY, k -> ofJvm(k) || k.on(ServerKind.JETTY).inFiles());
    }

    @Property(tries = 60)
    void iniFilesOfJetty(@ForAll("jetty") Setting setting) {
        List<IniFile> inis = rendered(embedded(ServerKind.JETTY), ConfigPlace.JETTY, setting).stream()
                .filter(f -> f.kind() == Kind.JETTY_INI)
                .map(f -> new IniFile(f.path(), f.text()))
                .toList();
        assertThat(JettyInis.read(inis).setting())
                .isEqualTo(written(ServerKind.JETTY, setting, RenderedIsReadTest::ofServer));
        List<String> flags = inis.stream()
                .flatMap(f -> f.text().lines())
                .filter(l -> l.startsWith("-X") || l.startsWith("-D"))
                .toList();
        assertThat(JvmLine.read(flags)).isEqualTo(all(setting, RenderedIsReadTest::ofJvm));
    }

    @Provide
    Arbitrary<Setting> undertow() {
        return settings(
                ServerKind.UNDERTOW,
                k -> !ofServer(k) || k.on(ServerKind.UNDERTOW).bootProperty().isPresent());
    }

    @Property(tries = 40)
    void propertiesOfSpringBoot(@ForAll("undertow") Setting setting) throws Exception {
        List<ConfigFile> files = rendered(boot(ServerKind.UNDERTOW), ConfigPlace.SPRING_BOOT, setting);
        assertThat(boot(text(files, Kind.BOOT_PROPERTIES).orElse(""), Map.of())).isEqualTo(bootWould(setting));
    }

    @Property(tries = 60)
    void whatStartsAProcess(@ForAll("undertow") Setting setting) throws Exception {
        for (ConfigPlace place : List.of(ConfigPlace.SYSTEMD, ConfigPlace.KUBERNETES, ConfigPlace.DOCKER)) {
            List<ConfigFile> files = rendered(boot(ServerKind.UNDERTOW), place, setting);
            ProcessStart start = switch (place) {
                case SYSTEMD ->
                    ProcessStart.ofUnit(text(files, Kind.SYSTEMD_UNIT).orElse(""));
                case DOCKER ->
                    text(files, Kind.DOCKER_RUN).isEmpty()
                            ? new ProcessStart(Map.of(), Setting.DEFAULT)
                            : ProcessStart.ofDocker(text(files, Kind.DOCKER_RUN).orElseThrow());
                default ->
                    text(files, Kind.KUBERNETES_PATCH)
                                    .filter(t -> t.contains("\nspec:"))
                                    .isEmpty()
                            ? new ProcessStart(Map.of(), Setting.DEFAULT)
                            : ProcessStart.ofKubernetes(
                                    text(files, Kind.KUBERNETES_PATCH).orElseThrow());
            };
            assertThat(boot("", start.environment())).as(place.id()).isEqualTo(bootWould(setting));
            List<String> flags = Optional.ofNullable(start.environment().get("JAVA_TOOL_OPTIONS"))
                    .map(f -> List.of(f.split(" ")))
                    .orElse(List.of());
            assertThat(JvmLine.read(flags)).isEqualTo(all(setting, RenderedIsReadTest::ofJvm));
            assertThat(start.process())
                    .as(place.id())
                    .isEqualTo(all(
                            setting,
                            k -> k.part() == Knob.Part.PROCESS
                                    && !k.name().equals("boot.layout") // in the command that starts it
                                    && switch (place) {
                                        case KUBERNETES -> k.name().equals("process.cpus");
                                        case DOCKER -> !k.name().equals("process.nice");
                                        default -> true;
                                    }));
        }
    }

    private static Setting boot(String properties, Map<String, String> environment) {
        var files = new BootConfiguration.Files() {
            @Override
            public String name() {
                return "app.jar";
            }

            @Override
            public void open(Consumer<List<List<BootConfiguration.Place>>> receiver) {
                receiver.accept(List.of(List.of(new BootConfiguration.Place(
                        "the jar", n -> Optional.ofNullable("application.properties".equals(n) ? properties : null)))));
            }
        };
        return BootConfiguration.of(files, ServerKind.UNDERTOW, List.of(), List.of(), environment)
                .setting();
    }

    /** Values that Spring Boot ignores are no loss of the rendering. */
    private static Setting bootWould(Setting setting) {
        return all(
                setting,
                k -> ofServer(k)
                        && !k.on(ServerKind.UNDERTOW)
                                .ignoredByBoot(setting.get(k.name()).orElseThrow())
                        && k.on(ServerKind.UNDERTOW).without().entrySet().stream()
                                .noneMatch(w -> setting.get(w.getKey()).equals(Optional.of(w.getValue()))));
    }

    private static Setting all(Setting setting, Predicate<Knob> which) {
        return Setting.of(setting.values().entrySet().stream()
                .filter(e -> which.test(Knobs.find(e.getKey()).orElseThrow()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** WildFly's is not started here, so it is at least held against the shape of its commands. */
    @Property(tries = 60)
    void commandsOfWildFly(@ForAll("undertow") Setting setting) {
        List<ConfigFile> files = rendered(embedded(ServerKind.UNDERTOW), ConfigPlace.WILDFLY, setting);
        for (ConfigFile file : files) {
            if (file.kind() == Kind.JBOSS_CLI) {
                assertThat(file.text().lines())
                        .allMatch(l -> l.matches(
                                "#.*|batch|run-batch|reload|(/[\\w-]+=[\\w-]+)+:(read|undefine)-attribute\\(name=[\\w-]+\\)"
                                        + "|(/[\\w-]+=[\\w-]+)+:write-attribute\\(name=[\\w-]+,value=-?\\w+\\)"
                                        + "|(/[\\w-]+=[\\w-]+)+:(add|remove)\\([\\w=,-]*\\)"));
            }
        }
        String all = files.stream().map(ConfigFile::text).collect(Collectors.joining());
        setting.values().forEach((name, value) -> {
            NativeKnob on = Knobs.find(name).orElseThrow().on(ServerKind.UNDERTOW);
            if (ofServer(Knobs.find(name).orElseThrow())) {
                assertThat(all)
                        .contains(
                                on.standalone().isEmpty()
                                        ? "# " + name + "=" + value + " has no place in WildFly"
                                        : on.standalone().replaceFirst("@.*", ""));
            }
        });
    }
}
