package dev.fettle.lab.check;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.process.JvmLine;
import dev.fettle.config.process.ShellReader;
import dev.fettle.lab.check.CheckTarget.OnBoot;
import dev.fettle.lab.check.CheckTarget.OnBuilder;
import dev.fettle.lab.check.CheckTarget.OnCommand;
import dev.fettle.lab.check.CheckTarget.OnDistribution;
import dev.fettle.lab.launch.Artifacts;
import dev.fettle.lab.launch.BootLauncher;
import dev.fettle.lab.launch.CommandLauncher;
import dev.fettle.lab.launch.Distribution;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.launch.ProgramLauncher;
import dev.fettle.lab.launch.StandaloneLauncher;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts servers from a rendered configuration: apart from the target's own configuration, only the rendered texts reach them.
 *
 * @param wanted the setting the texts should produce; the target's own flags for the same knobs are left out
 * @param folder where it is installed and runs
 */
record RenderedStart(LabEnvironment env, Artifacts artifacts, RenderedConfig config, Setting wanted, Path folder) {
    /**
     * Starts the server.
     *
     * @throws ConfigException if a text does not fit where it goes
     */
    RunningTarget on(CheckTarget what) throws ConfigException, TrialFailure, LabException, InterruptedException {
        var launching = new ProgramLauncher(env, config.environment());
        return switch (what) {
            case OnDistribution d -> {
                Target.Standalone s = d.server();
                Path home = Distribution.of(s, artifacts).home();
                Path rendered = folder.resolve("rendered");
                OwnFiles.lay(s, home, config.files(), rendered);
                Target.Standalone laid = s.with()
                        .jvm(jvm(s.jvm()))
                        .base(Optional.of(rendered.toString()))
                        .configured(Setting.DEFAULT)
                        .build();
                yield new StandaloneLauncher(env, launching, artifacts).launch(laid, config.process(), folder);
            }
            case OnBoot(Target.Boot b) ->
                new BootLauncher(env, launching, properties())
                        .launch(
                                b.with()
                                        .jvm(jvm(b.jvm()))
                                        .configured(Setting.DEFAULT)
                                        .build(),
                                config.process(),
                                folder);
            case OnBuilder b ->
                new BuiltServer(env, launching).launch(b.server(), jvm(b.jvm()), code(), config.process(), folder);
            case OnCommand(Target.Command c) ->
                new CommandLauncher(env, new ProgramLauncher(env, Map.of()), artifacts)
                        .launch(rendered(c), config.process(), folder);
        };
    }

    /** The plan's own flags, except those that rendered flags replace, followed by the rendered flags. */
    private Target.Jvm jvm(Target.Jvm plans) {
        var flags = new ArrayList<>(JvmLine.without(plans.flags(), wanted));
        flags.addAll(config.flags());
        return new Target.Jvm(config.java().or(plans::java), flags);
    }

    private Optional<Path> properties() throws LabException {
        List<ConfigFile> files = config.of(Kind.BOOT_PROPERTIES);
        if (files.isEmpty()) {
            return Optional.empty();
        }
        Path rendered = folder.resolve("rendered");
        Path file = rendered.resolve("application.properties");
        try {
            Folders.keepPrivate(rendered);
            return Optional.of(Folders.writePrivate(file, files.getFirst().text()));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private Optional<String> code() {
        return config.of(Kind.SERVER_CODE).stream().findFirst().map(ConfigFile::text);
    }

    /** The rendered command, with placeholders for what only a trial knows. */
    private Target.Command rendered(Target.Command target) throws ConfigException, LabException {
        if (config.of(Kind.COMMAND_LINE).isEmpty()) {
            throw new LabException("the command is not among what was rendered");
        }
        if (!target.templates().isEmpty()) {
            throw new LabException("a command that reads files filled in from templates is not tried");
        }
        var names = new LinkedHashMap<String, String>();
        target.artifacts().forEach((name, coordinates) -> {
            String[] c = coordinates.split(":", -1);
            if (c.length == 3) {
                names.put(c[1] + "-" + c[2] + ".jar", "{artifact:" + name + "}");
            }
        });
        var arguments = new ArrayList<List<String>>();
        String text = config.of(Kind.COMMAND_LINE).getFirst().text();
        for (String word : ShellReader.words(ShellReader.uncommented(text))) {
            String argument = arguments.isEmpty() && word.equals("java") ? "{java}" : word;
            for (var name : names.entrySet()) {
                argument = argument.replace(name.getKey(), name.getValue());
            }
            arguments.add(List.of(argument));
        }
        var environment = new LinkedHashMap<String, String>();
        target.environment().forEach((name, value) -> {
            if (target.configures().keySet().stream().noneMatch(k -> value.contains("{" + k + "}"))) {
                environment.put(name, value);
            }
        });
        environment.putAll(config.environment());
        return new Target.Command(
                arguments,
                environment,
                target.files(),
                Map.of(),
                target.artifacts(),
                target.workers(),
                Map.of(),
                new Target.Jvm(config.java().or(target.jvm()::java), List.of()));
    }
}
