package dev.fettle.lab;

import dev.fettle.config.CommandText;
import dev.fettle.config.ConfigException;
import dev.fettle.config.JvmLine;
import dev.fettle.lab.ConfigVerdict.Outcome;
import dev.fettle.lab.ConfigVerdict.ReadBack;
import dev.fettle.model.ConfigFile;
import dev.fettle.model.ConfigFile.Kind;
import dev.fettle.model.Knob;
import dev.fettle.model.Knobs;
import dev.fettle.model.NativeKnob;
import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import dev.fettle.watch.ListenQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Starts the real server from a rendered configuration, and reads the values back. The setting that was rendered is not used for
 * starting it: only the texts are, so that a text that says something else is found out.
 */
public final class ConfigCheck {
    private final LabEnvironment env;
    private final Artifacts artifacts;

    /** @param say is told what is fetched */
    public ConfigCheck(LabEnvironment env, Consumer<String> say) {
        this.env = env;
        this.artifacts = Artifacts.of(env, say);
    }

    /** What would have to be fetched for it, in words: {@code Tomcat 11.0.24}; empty if all is there. */
    public Optional<String> wants(Target target) throws LabException {
        Optional<Target.Standalone> distribution = distribution(target);
        return distribution.isPresent() && !Distribution.isThere(distribution.get(), artifacts)
                ? Optional.of(distribution.get().server().name().charAt(0)
                        + distribution.get().server().id().substring(1)
                        + " " + distribution.get().version().orElse(""))
                : Optional.empty();
    }

    /**
     * Starts it and reads it back.
     *
     * @param files the texts; beside the target's own configuration, nothing else reaches the server
     * @param wanted what they should bring about
     * @param run the run's folder, in which the check gets one of its own
     * @throws LabException if it can't be tried at all; what is wrong with the texts is in the verdict
     */
    public ConfigVerdict check(Target target, List<ConfigFile> files, Setting wanted, Path run)
            throws LabException, InterruptedException {
        Path folder = Workspace.fresh(run, "config-check");
        try {
            RenderedConfig config = RenderedConfig.read(files);
            try (RunningTarget running = start(target, config, wanted, folder)) {
                return verdict(running, target, config, wanted, folder);
            } catch (TrialFailure e) {
                return failed(e.asFailure().message(), notes(target, config), folder);
            }
        } catch (ConfigException e) {
            return failed(String.valueOf(e.getMessage()), List.of(), folder);
        }
    }

    private static ConfigVerdict failed(String why, List<String> notes, Path folder) {
        return new ConfigVerdict("", Optional.of(why), List.of(), notes, folder);
    }

    private RunningTarget start(Target target, RenderedConfig config, Setting wanted, Path folder)
            throws ConfigException, TrialFailure, LabException, InterruptedException {
        var launching = new Launching(env, config.environment());
        Optional<Target.Standalone> distribution = distribution(target);
        if (distribution.isPresent()) {
            Target.Standalone s = distribution.get();
            Path home = Distribution.of(s, artifacts).home();
            Target.Standalone laid = RenderedBase.laid(
                    new Target.Standalone(
                            s.server(),
                            s.version(),
                            s.home(),
                            s.base(),
                            s.war(),
                            s.context(),
                            jvm(s.jvm(), wanted, config)),
                    home,
                    config,
                    folder.resolve("rendered"));
            return new StandaloneLauncher(env, launching, artifacts).launch(laid, config.process(), folder);
        }
        return switch (target) {
            case Target.Boot b ->
                new BootLauncher(env, launching, properties(config, folder))
                        .launch(
                                new Target.Boot(
                                        b.jar(),
                                        b.server(),
                                        b.version(),
                                        b.arguments(),
                                        jvm(b.jvm(), wanted, config),
                                        Setting.DEFAULT),
                                config.process(),
                                folder);
            case Target.Embedded e ->
                new UndertowCode(env, launching)
                        .launch(jvm(e.jvm(), wanted, config), code(config), config.process(), folder);
            case Target.Command c ->
                new TargetLauncher(env, artifacts, new Calibration(folder))
                        .command(rendered(c, config), config.process(), folder);
            case Target.War w ->
                new UndertowCode(env, launching)
                        .launch(jvm(w.jvm(), wanted, config), code(config), config.process(), folder);
            default -> throw new LabException(target.label() + " is not started by Fettle");
        };
    }

    /** The distribution of a server that a target is, or whose files it is given: those of an embedded server are tried there. */
    private Optional<Target.Standalone> distribution(Target target) throws LabException {
        if (target instanceof Target.Standalone s) {
            return Optional.of(s);
        }
        if (target instanceof Target.War w && w.server() != ServerKind.UNDERTOW) {
            return Optional.of(new Target.Standalone(
                    w.server(),
                    Optional.of(Distribution.embedded(env.home(), w.server())),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(w.war()),
                    w.context(),
                    w.jvm()));
        }
        if (!(target instanceof Target.Embedded e) || e.server() == ServerKind.UNDERTOW) {
            return Optional.empty();
        }
        boolean tomcat = e.server() == ServerKind.TOMCAT;
        return Optional.of(new Target.Standalone(
                e.server(),
                Optional.of(Distribution.embedded(env.home(), e.server())),
                Optional.empty(),
                Optional.empty(),
                tomcat ? Optional.of(Target.Standalone.EXAMPLES) : Optional.empty(),
                "/",
                e.jvm()));
    }

    /** The plan's own flags, but for those that the rendered ones take the place of, and the rendered ones. */
    private static Target.Jvm jvm(Target.Jvm plans, Setting wanted, RenderedConfig config) {
        var flags = new ArrayList<>(JvmLine.without(plans.flags(), wanted));
        flags.addAll(config.flags());
        return new Target.Jvm(config.java().or(plans::java), flags);
    }

    private static Optional<Path> properties(RenderedConfig config, Path folder) throws LabException {
        List<ConfigFile> files = config.of(Kind.BOOT_PROPERTIES);
        if (files.isEmpty()) {
            return Optional.empty();
        }
        Path file = folder.resolve("rendered").resolve("application.properties");
        try {
            Files.createDirectories(file.getParent());
            return Optional.of(Files.writeString(file, files.getFirst().text()));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static String code(RenderedConfig config) {
        List<ConfigFile> files = config.of(Kind.UNDERTOW_CODE);
        return files.isEmpty()
                ? "io.undertow.Undertow.builder()"
                : files.getFirst().text();
    }

    /** The command that was rendered, with the places that only a trial knows. */
    private static Target.Command rendered(Target.Command target, RenderedConfig config)
            throws ConfigException, LabException {
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
        for (String word : CommandText.words(CommandText.uncommented(text))) {
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
                target.artifacts(),
                target.workers(),
                Map.of(),
                new Target.Jvm(config.java().or(target.jvm()::java), List.of()));
    }

    private ConfigVerdict verdict(
            RunningTarget running, Target target, RenderedConfig config, Setting wanted, Path folder)
            throws InterruptedException {
        running.keep(wanted);
        var effective = new Effective(env.proc());
        effective.read(running, target, wanted);
        OptionalInt queue = ListenQueue.limit(running.address.getPort());
        var reads = new ArrayList<ReadBack>();
        wanted.values().forEach((knob, value) -> {
            ReadBack read = read(running, effective, target, knob, value, queue);
            boolean unsaid = read.outcome() != Outcome.DIFFERS || !hasNoPlace(config.files(), knob, value);
            reads.add(
                    unsaid
                            ? read
                            : new ReadBack(
                                    knob,
                                    value,
                                    read.effective(),
                                    Outcome.NOT_WRITTEN,
                                    "no place for it, as the text says"));
        });
        String version = running.facts.getOrDefault("serverVersion", running.facts.getOrDefault("server", ""));
        return new ConfigVerdict(
                version.isEmpty() ? target.label() : version.replace('/', ' '),
                Optional.empty(),
                reads,
                notes(target, config),
                folder);
    }

    private static ReadBack read(
            RunningTarget running, Effective effective, Target target, String knob, String value, OptionalInt queue) {
        Optional<String> got = knob.equals("backlog") && queue.isPresent()
                ? Optional.of(Integer.toString(queue.getAsInt()))
                : Optional.ofNullable(running.effective.get(knob));
        boolean differs = effective.difference(running, knob, value, queue).isPresent();
        Outcome outcome = got.isEmpty() ? Outcome.UNREADABLE : differs ? Outcome.DIFFERS : Outcome.OK;
        Optional<NativeKnob> on =
                Knobs.find(knob).map((Knob k) -> k.on(target.knownServer().orElse(ServerKind.TOMCAT)));
        String why = switch (outcome) {
            case OK -> "";
            case DIFFERS -> on.map(NativeKnob::mayDiffer).orElse("");
            case UNREADABLE -> on.map(NativeKnob::unread).orElse("");
            case NOT_WRITTEN -> "";
        };
        return new ReadBack(knob, value, got, outcome, why);
    }

    /** Whether a comment names the value, as comments do that say that there is no place for it. */
    private static boolean hasNoPlace(List<ConfigFile> files, String knob, String value) {
        Pattern named = Pattern.compile("(?<![\\w.])" + Pattern.quote(knob + "=" + value) + "(?![\\w.])");
        return files.stream()
                .flatMap(f -> f.text().lines())
                .filter(l -> l.startsWith("#") || l.startsWith("//") || l.startsWith("<!--"))
                .filter(l -> !l.contains("Fettle run ")) // which names what was held
                .anyMatch(l -> named.matcher(l).find());
    }

    private static List<String> notes(Target target, RenderedConfig config) {
        var notes = new ArrayList<String>();
        if (target instanceof Target.War w && w.server() == ServerKind.UNDERTOW) {
            notes.add("the builder was tried without the web application");
        } else if (target instanceof Target.War
                || target instanceof Target.Embedded e && e.server() != ServerKind.UNDERTOW) {
            notes.add(
                    "the run was on an embedded server; the files were tried on the distribution of the same version");
        }
        if (config.environment().containsKey("JAVA_TOOL_OPTIONS")) {
            notes.add("flags on a command line, in setenv.sh or in start.d win over those of JAVA_TOOL_OPTIONS");
        }
        for (ConfigFile f : config.files()) {
            switch (f.kind()) {
                case SYSTEMD_UNIT ->
                    notes.add("systemd itself was not asked: what its directives say was done by other means");
                case KUBERNETES_PATCH ->
                    notes.add("no cluster was asked: the variables were given to the process, and CPUs were pinned in"
                            + " place of the limit");
                case DOCKER_RUN -> notes.add("no container was started: what the options say was done by other means");
                default -> {
                    // was used as it is
                }
            }
        }
        return notes;
    }
}
