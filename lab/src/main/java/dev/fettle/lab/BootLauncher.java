package dev.fettle.lab;

import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import dev.fettle.model.TrialOutcome.Kind;
import dev.fettle.model.boot.BootArguments;
import dev.fettle.model.boot.ConfigPlaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts an executable jar of Spring Boot as its user would, {@code java -jar app.jar}, with knobs as properties on its
 * command line. Its working directory is the trial's folder; configuration files beside the jar are found all the same.
 */
final class BootLauncher {
    private final LabEnvironment env;
    private final Launching launching;

    BootLauncher(LabEnvironment env, Launching launching) {
        this.env = env;
        this.launching = launching;
    }

    RunningTarget launch(Target.Boot target, Setting setting, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        int port = Launching.freePort();
        var agent = new ServerAgent(env);
        BootArguments arguments = BootArguments.of(target.arguments(), target.server(), setting, port, beside(target));
        var command = new ArrayList<String>();
        command.add(env.jdks().java(target.jvm().java()).toString());
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.addAll(JvmArguments.of(target.jvm(), setting));
        command.addAll(agent.flags(folder));
        command.addAll(List.of("-jar", target.jar()));
        command.addAll(arguments.list());
        RunningTarget running;
        try {
            running = launching.listening(command, Map.of(), folder, port, setting);
        } catch (TrialFailure e) {
            throw BootFailure.explained(e, folder.resolve(Launching.LOG));
        }
        boolean described = false;
        try {
            running.facts.put("springBoot", target.version());
            running.facts.put("command", String.join(" ", CommandLine.redacted(command)));
            running.notes.addAll(arguments.notes());
            agent.describe(running, target.server(), setting, folder);
            described = true;
            return running;
        } finally {
            if (!described) {
                running.close();
            }
        }
    }

    private static Optional<String> beside(Target.Boot target) throws TrialFailure {
        try {
            return ConfigPlaces.besideJar(Path.of(target.jar()), target.jvm().flags(), System.getenv());
        } catch (IllegalArgumentException e) {
            throw new TrialFailure(Kind.DID_NOT_START, String.valueOf(e.getMessage()));
        }
    }
}
