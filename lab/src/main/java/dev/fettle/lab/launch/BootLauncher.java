package dev.fettle.lab.launch;

import dev.fettle.config.boot.BootArguments;
import dev.fettle.config.boot.BootConfiguration;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.CommandArguments;
import dev.fettle.lab.process.GivenSecrets;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.lab.target.ServerAgent;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts an executable Spring Boot jar as its user would, {@code java -jar app.jar}, with knobs as properties on the command
 * line. The working directory is the trial's folder; configuration files next to the jar are still found.
 */
public final class BootLauncher {
    private final LabEnvironment env;
    private final ProgramLauncher launching;
    private final Optional<Path> besides;

    BootLauncher(LabEnvironment env, ProgramLauncher launching) {
        this(env, launching, Optional.empty());
    }

    /** @param besides a properties file that takes precedence over the app's other files */
    public BootLauncher(LabEnvironment env, ProgramLauncher launching, Optional<Path> besides) {
        this.env = env;
        this.launching = launching;
        this.besides = besides;
    }

    public RunningTarget launch(Target.Boot target, Setting setting, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        return launch(target, BootJar.configuration(target).own(), setting, Optional.empty(), folder);
    }

    /**
     * Starts an app.
     *
     * @param own what its own configuration has of a trial's properties; a port of the trial's that was filled in is none
     * @param key for TLS; empty: as its own configuration says
     */
    RunningTarget launch(Target.Boot target, Set<String> own, Setting setting, Optional<ServerKey> key, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        int port = Ports.freePort();
        var agent = new ServerAgent(env);
        Optional<BootArguments.Key> form = key.isPresent()
                ? Optional.of(form(key.get(), own.contains(BootConfiguration.CERTIFICATE)))
                : Optional.empty();
        BootArguments arguments =
                BootArguments.of(target.arguments(), target.server(), setting, port, form, own, beside(target));
        Path java = env.jdks().java(target.jvm().java());
        Optional<ExtractedJar> extracted = BootLayout.isExtracted(setting)
                ? Optional.of(ExtractedJar.of(
                        java, Path.of(target.jar()), folder, env.cpus().server()))
                : Optional.empty();
        var command = new ArrayList<String>();
        command.add(java.toString());
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.addAll(JvmArguments.of(target.jvm(), setting));
        command.addAll(agent.flags(folder));
        command.addAll(List.of("-jar", extracted.map(x -> x.jar().toString()).orElse(target.jar())));
        command.addAll(arguments.list());
        RunningTarget running;
        try {
            running = launching.listening(command, secret(key, form), folder, port, setting);
            extracted.ifPresent(running::owns);
        } catch (TrialFailure e) {
            if (extracted.isPresent()) {
                extracted.get().close();
            }
            throw BootFailure.explained(
                    e, folder.resolve(ProgramLauncher.LOG), GivenSecrets.of(command, secret(key, form)));
        }
        boolean described = false;
        try {
            running.fact("springBoot", target.version());
            running.fact("command", String.join(" ", CommandArguments.redacted(command)));
            arguments.notes().forEach(running::note);
            agent.describe(running, target.server(), setting, folder);
            described = true;
            return running;
        } finally {
            if (!described) {
                running.close();
            }
        }
    }

    private static BootArguments.Key form(ServerKey key, boolean pem) throws LabException {
        return pem
                ? new BootArguments.Key.Pem(
                        key.certificate().toAbsolutePath().toString(),
                        key.privateKey().toAbsolutePath().toString())
                : new BootArguments.Key.Pkcs12(key.keystore().toAbsolutePath().toString());
    }

    /** The key store's password, as a variable: other users can read arguments. */
    private static Map<String, String> secret(Optional<ServerKey> key, Optional<BootArguments.Key> form) {
        return key.filter(k ->
                        form.filter(f -> f instanceof BootArguments.Key.Pkcs12).isPresent())
                .map(k -> Map.of("SERVER_SSL_KEYSTOREPASSWORD", k.password(), "SERVER_SSL_KEYPASSWORD", k.password()))
                .orElse(Map.of());
    }

    private Optional<String> beside(Target.Boot target) throws TrialFailure {
        try {
            Optional<String> own =
                    BootPlaces.besideJar(Path.of(target.jar()), target.jvm().flags(), System.getenv());
            // if the property is given several times, the last one wins in Spring Boot
            return besides.map(f -> own.map(o -> o + ",").orElse("") + "file:" + f.toAbsolutePath())
                    .or(() -> own);
        } catch (IllegalArgumentException e) {
            throw new TrialFailure(Kind.DID_NOT_START, String.valueOf(e.getMessage()));
        }
    }
}
