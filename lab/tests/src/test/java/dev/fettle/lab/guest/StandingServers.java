package dev.fettle.lab.guest;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.launch.Artifacts;
import dev.fettle.lab.launch.Calibration;
import dev.fettle.lab.launch.TargetLauncher;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ServerBeans;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are up before Fettle comes, in processes of their own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StandingServers {
    @TempDir
    Path folder;

    private final Map<ServerKind, RunningTarget> standing = new EnumMap<>(ServerKind.class);
    private Path shared = Path.of("");

    final List<String> told = new ArrayList<>();

    LabEnvironment env() throws LabException {
        return Fixtures.unloaded(folder.resolve("ws"));
    }

    Debts debts() throws LabException {
        return new Debts(env().state(), env().proc());
    }

    @BeforeAll
    void begin(@TempDir Path ofAllTests) {
        shared = ofAllTests;
    }

    @BeforeEach
    void nothingIsTold() {
        told.clear();
    }

    @AfterAll
    void end() {
        standing.values().forEach(RunningTarget::close);
    }

    /** A server that somebody has started, for all tests of a class: each leaves it as it was. */
    RunningTarget standing(ServerKind server) throws Exception {
        RunningTarget up = standing.get(server);
        if (up == null) {
            up = launched(server, Fixtures.unloaded(shared.resolve("ws")), shared.resolve(server.id()));
            standing.put(server, up);
        }
        return up;
    }

    /** One for a test alone. */
    RunningTarget up(ServerKind server) throws Exception {
        return launched(server, env(), folder.resolve("elsewhere"));
    }

    private static RunningTarget launched(ServerKind server, LabEnvironment env, Path elsewhere) throws Exception {
        Files.createDirectories(elsewhere);
        return new TargetLauncher(
                        env,
                        Artifacts.of(env, note -> {}),
                        new Calibration(elsewhere),
                        List.of(),
                        new TrialFiles(),
                        note -> {})
                .launch(
                        Fixtures.spec(Fixtures.hello(server), Setting.DEFAULT, Fixtures.patient(1, "")),
                        elsewhere,
                        new Ports());
    }

    static Target.Running running(RunningTarget server, boolean live, boolean agent) {
        return new Target.Running(server.pid(), Optional.empty(), live, agent, Optional.empty());
    }

    Target.Running look(Target.Running asked) throws Exception {
        return new ProcessInspection(env(), told::add).at(asked);
    }

    static Map<String, String> values(RunningTarget server) throws Exception {
        try (var jvm = RunningJvm.attach(server.pid())) {
            return new TreeMap<>(ServerBeans.of(jvm, server.address().getPort())
                    .orElseThrow()
                    .read());
        }
    }
}
