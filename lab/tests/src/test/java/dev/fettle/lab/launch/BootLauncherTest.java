package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.tools.attach.VirtualMachine;
import dev.fettle.config.boot.BootProperties;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.SampleApps;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real apps of Spring Boot on real servers. */
class BootLauncherTest {
    @TempDir
    Path folder;

    private static Target.Boot target(Path jar, String... arguments) {
        var inside = BootJar.of(jar);
        var present = BootJar.configuration(jar, inside.server(), List.of(arguments), List.of(), Map.of());
        return new Target.Boot(
                jar.toString(),
                inside.server(),
                inside.version(),
                List.of(arguments),
                new Target.Jvm(Optional.empty(), List.of("-Xmx256m", "-XX:TieredStopAtLevel=1")),
                present.setting());
    }

    private RunningTarget launch(Target.Boot target, Setting setting) throws Exception {
        Path trial = Files.createDirectory(folder.resolve("trial"));
        var env = Fixtures.unloaded(trial);
        var launcher = new TargetLauncher(
                env,
                new Artifacts(trial.resolve("a"), trial.resolve("m"), note -> {}),
                new Calibration(trial),
                List.of(),
                new TrialFiles(),
                note -> {});
        Load load = Fixtures.load(1, "Hello World");
        RunningTarget running = launcher.launch(Fixtures.spec(target, setting, load), trial, new Ports());
        try {
            Readiness.await(running, load);
            return running;
        } catch (TrialFailure e) {
            running.close();
            throw e;
        }
    }

    /** All of a server's properties, each at a value that is no default. */
    private static Setting everythingBut(ServerKind server, String... knobs) {
        Setting all = Setting.DEFAULT;
        for (Knob knob : Knobs.all()) {
            if (BootProperties.name(server, knob.name()).isPresent()
                    && !List.of(knobs).contains(knob.name())) {
                all = all.with(knob.name(), knob.canonical(knob.on(server).trial()));
            }
        }
        return all;
    }

    /** Spring Boot ignores a property that it does not know. */
    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"tomcat-4.1", "jetty-4.1", "undertow-3.5"})
    void everyPropertyIsOneOfSpringBoots(String app) throws Exception {
        Path jar = SampleApps.jar(app);
        ServerKind server = BootJar.of(jar).server();
        Set<String> known = SampleApps.properties(jar);
        assertThat(Knobs.all().stream()
                        .flatMap(k -> BootProperties.name(server, k.name()).stream())
                        .map(p -> p.replaceAll("(\\.options\\.[a-z]+)\\..*", "$1"))
                        .toList())
                .isNotEmpty()
                .isSubsetOf(known);
    }

    /**
     * What is read beforehand is what Spring Boot makes of the same files: a pool that starts its threads in advance shows it. All other
     * properties are set; Spring Boot refuses a value that it can't convert, and that each arrives on each server shows in
     * {@link SetIsEffectiveElsewhereTest}.
     */
    @Test
    void configurationBesideTheJarHoldsAndAnArgumentThatAKnobOverridesDoesNot() throws Exception {
        Path jar = Files.copy(SampleApps.jar("tomcat-4.1"), folder.resolve("app.jar"));
        Path config = Files.createDirectory(folder.resolve("config"));
        Files.writeString(folder.resolve("application.properties"), "server.tomcat.threads.min-spare=2\n");
        Files.writeString(config.resolve("application.yml"), "server.tomcat.threads: {minSpare: 3, max: 4}\n");
        Files.writeString(config.resolve("application.yaml"), "server.tomcat.threads.min-spare: 4\n");
        var target = target(jar, "--server.tomcat.threads.max=100", "--server.port=1");
        assertThat(target.configured().get("threads.min")).contains("3");
        assertThat(target.configured().get("threads.max")).contains("100");
        assertThat(target.configured().get("request.header.max")).contains("12k");
        assertThat(target.server()).isEqualTo(ServerKind.TOMCAT);
        // with virtual threads pools have no effect
        Setting setting = everythingBut(ServerKind.TOMCAT, "threads.min", "threads.virtual")
                .with(BootLayout.KNOB, BootLayout.JAR);
        assertThat(Constraints.check(target, setting, 2, 4096)).isEmpty();

        try (RunningTarget running = launch(target, setting)) {
            assertThat(threadNames(running.pid()))
                    .filteredOn(n -> n.matches("http-nio-127.0.0.1-[0-9]+-exec-[0-9]+"))
                    .hasSize(3);
            assertThat(running.facts()).containsEntry("springBoot", target.version());
            readBack(running, target, setting);
            assertThat(running.effective()).containsEntry(BootLayout.KNOB, BootLayout.JAR);
            assertThat(folder.resolve("trial/extracted")).doesNotExist();
            assertThat(running.notes())
                    .contains(
                            "the argument --server.tomcat.threads.max=100 is left out: the trial sets threads.max="
                                    + setting.get("threads.max").orElseThrow(),
                            "the argument --server.port=1 is left out: each trial has its own");
        }
    }

    /** By its own tools, into the trial's folder; it answers, and what is in force is read from the JVM. */
    @Test
    void aJarIsStartedExtracted() throws Exception {
        started("tomcat-4.1", BootLayout.EXTRACTED);
    }

    /** The same tools, of another version: what it starts as it is shows {@link SetIsEffectiveElsewhereTest}, too. */
    @Tag("long")
    @Test
    void aJarOfSpringBoot3IsStartedExtractedOrAsItIs() throws Exception {
        started("undertow-3.5", BootLayout.EXTRACTED, BootLayout.JAR);
    }

    private void readBack(RunningTarget running, Target.Boot target, Setting setting) throws Exception {
        new EffectiveValues(Fixtures.unloaded(folder.resolve("trial")).proc(), List.of(), Set.of())
                .read(running, target, setting);
    }

    private void started(String app, String... layouts) throws Exception {
        Target.Boot target = target(SampleApps.jar(app));
        Path trial = folder.resolve("trial");
        for (String layout : layouts) {
            Setting setting = Setting.of(BootLayout.KNOB, layout);
            assertThat(Constraints.check(target, setting, 2, 4096)).isEmpty();
            try (RunningTarget running = launch(target, setting)) {
                readBack(running, target, setting);
                assertThat(running.effective()).containsEntry(BootLayout.KNOB, layout);
                assertThat(Files.exists(trial.resolve("extracted/lib"))).isEqualTo(layout.equals(BootLayout.EXTRACTED));
            }
            assertThat(trial.resolve("extracted")).doesNotExist();
            Files.move(trial, folder.resolve(layout));
        }
    }

    @Test
    void aJarWithoutItsToolsSaysSo() throws Exception {
        Path jar = folder.resolve("bare.jar");
        try (var from = new ZipFile(SampleApps.jar("tomcat-4.1").toFile());
                var to = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (ZipEntry e : Collections.list(from.entries())) {
                if (e.getName().contains("jarmode-tools")) {
                    continue;
                }
                var copy = new ZipEntry(e.getName());
                if (e.getMethod() == ZipEntry.STORED) {
                    copy.setMethod(ZipEntry.STORED);
                    copy.setSize(e.getSize());
                    copy.setCrc(e.getCrc());
                }
                to.putNextEntry(copy);
                from.getInputStream(e).transferTo(to);
                to.closeEntry();
            }
        }
        Setting setting = Setting.of(BootLayout.KNOB, BootLayout.EXTRACTED);

        var failure = catchThrowableOfType(TrialFailure.class, () -> launch(target(jar), setting));

        assertThat(failure.asFailure().kind()).isEqualTo(Kind.IMPOSSIBLE_SETTING);
        assertThat(failure)
                .hasMessageStartingWith("boot.layout=extracted: ")
                .hasMessageContaining("Unsupported jarmode")
                .hasMessageNotContaining("\n");
        assertThat(folder.resolve("trial/extracted")).doesNotExist();
    }

    @Test
    void anAppThatDoesNotStartSaysWhyOnOneLine() throws Exception {
        var target = target(SampleApps.jar("tomcat-4.1"), "--server.tomcat.accept-count=many");

        var failure = catchThrowableOfType(TrialFailure.class, () -> launch(target, Setting.DEFAULT));

        assertThat(failure.asFailure().kind()).isEqualTo(Kind.DID_NOT_START);
        assertThat(failure)
                .hasMessageStartingWith("the app did not start: Failed to bind properties under"
                        + " 'server.tomcat.accept-count' to int:")
                .hasMessageContaining("Value: \"many\"")
                .hasMessageNotContaining("\n");
    }

    /** {@link BootFailureTest} reads the same text. */
    @Tag("long")
    @Test
    void aPortThatIsTakenIsSaid() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String[] command = {
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                SampleApps.jar("tomcat-4.1").toString(),
                "--server.address=127.0.0.1",
                "--server.port=" + taken.getLocalPort()
            };
            Path log = folder.resolve("log");
            Process app = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            assertThat(app.waitFor()).isNotZero();
            assertThat(BootFailure.reason(Files.readString(log)))
                    .contains("Web server failed to start. Port " + taken.getLocalPort() + " was already in use.");
        }
    }

    @Test
    void theExamplePlansAreRight() throws Exception {
        for (String app : List.of("tomcat-4.1", "jetty-4.1", "undertow-3.5")) {
            Path jar = SampleApps.jar(app);
            Path plan = Fixtures.home().resolve("examples/boot-" + app.split("-")[0] + ".yaml");
            assertThat(new PlanReader(2, 4096, OwnFiles.CONFIGURATION)
                            .read(plan)
                            .target())
                    .isInstanceOfSatisfying(
                            Target.Boot.class, b -> assertThat(Path.of(b.jar())).isEqualTo(jar));
        }
    }

    private static List<String> threadNames(long pid) throws Exception {
        var vm = VirtualMachine.attach(Long.toString(pid));
        String url = vm.startLocalManagementAgent();
        vm.detach();
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
            ThreadMXBean threads =
                    ManagementFactory.getPlatformMXBean(connector.getMBeanServerConnection(), ThreadMXBean.class);
            return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                    .filter(Objects::nonNull)
                    .map(ThreadInfo::getThreadName)
                    .toList();
        }
    }
}
