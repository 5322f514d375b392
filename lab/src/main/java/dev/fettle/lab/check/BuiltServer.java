package dev.fettle.lab.check;

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

/** Compiles a rendered Undertow builder into a minimal program, and runs it. */
record UndertowCode(LabEnvironment env, ProgramLauncher launching) {
    /** @param builder an expression of type {@code Undertow.Builder}, preceded by comments */
    RunningTarget launch(Target.Jvm jvm, String builder, Setting process, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        int port = Ports.freePort();
        var agent = new ServerAgent(env);
        Path source = folder.resolve("rendered").resolve("Rendered.java");
        try {
            Folders.makeFor(source);
            Folders.writePrivate(source, program(builder, port));
        } catch (IOException e) {
            throw new LabException("cannot write " + source + ": " + e.getMessage(), e);
        }
        var command = new ArrayList<String>();
        command.add(env.jdks().java(jvm.java()).toString());
        command.addAll(jvm.flags());
        command.addAll(agent.flags(folder));
        command.addAll(List.of("-cp", env.home().resolve("servers/build/lib") + "/*", source.toString()));
        RunningTarget running = launching.listening(command, Map.of(), folder, port, process);
        agent.describe(running, ServerKind.UNDERTOW, process, folder);
        return running;
    }

    static String program(String builder, int port) {
        return """
                import io.undertow.*;
                import io.undertow.server.*;
                import io.undertow.server.handlers.*;
                import org.xnio.Options;

                class Rendered {
                    public static void main(String[] arguments) {
                        HttpHandler handler = exchange -> exchange.getResponseSender().send("ok");
                        Undertow.Builder builder =
                %s;
                        %s
                        builder.addHttpListener(%d, "127.0.0.1").build().start();
                    }
                }
                """.formatted(
                builder.stripTrailing(), builder.contains(".setHandler(") ? "" : "builder.setHandler(handler);", port);
    }
}
