package dev.fettle.lab.check;

import dev.fettle.config.render.ConfigPlace;
import dev.fettle.lab.launch.ProgramLauncher;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.lab.target.ServerAgent;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a minimal program of the rendered code that builds a server, and runs it. */
record BuiltServer(LabEnvironment env, ProgramLauncher launching) {
    /** @param code empty: what builds a server as it is by default */
    RunningTarget launch(ServerKind server, Target.Jvm jvm, Optional<String> code, Setting process, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        int port = Ports.freePort();
        var agent = new ServerAgent(env);
        Path source = folder.resolve("rendered").resolve("Rendered.java");
        try {
            Folders.makeFor(source);
            Folders.writePrivate(source, program(server, code, port));
        } catch (IOException e) {
            throw new LabException("cannot write " + source + ": " + e.getMessage(), e);
        }
        var command = new ArrayList<String>();
        command.add(env.jdks().java(jvm.java()).toString());
        command.addAll(jvm.flags());
        command.addAll(agent.flags(folder));
        command.addAll(List.of("-cp", env.home().resolve("servers/build/lib") + "/*", source.toString()));
        RunningTarget running = launching.listening(command, Map.of(), folder, port, process);
        agent.describe(running, server, process, folder);
        return running;
    }

    private static String program(ServerKind server, Optional<String> code, int port) throws LabException {
        return ConfigPlace.config(server)
                .program(code, port)
                .orElseThrow(
                        () -> new LabException("no program can be made of the configuration of " + server.title()));
    }
}
