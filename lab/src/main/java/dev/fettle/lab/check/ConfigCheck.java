package dev.fettle.lab.check;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.lab.check.ConfigVerdict.Outcome;
import dev.fettle.lab.check.ConfigVerdict.ReadBack;
import dev.fettle.lab.launch.Artifacts;
import dev.fettle.lab.launch.Distribution;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.process.OtherUser;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Starts the real server from a rendered configuration and reads the values back. Only the rendered texts are used to start it,
 * not the setting they came from, so that a wrong text is detected.
 */
public final class ConfigCheck {
    private final LabEnvironment env;
    private final Artifacts artifacts;
    private final List<OwnKnob> own;

    /**
     * Creates a check.
     *
     * @param own the plan's own knobs
     * @param say receives a line for each download
     */
    public ConfigCheck(LabEnvironment env, List<OwnKnob> own, Consumer<String> say) {
        this.own = List.copyOf(own);
        this.env = env;
        this.artifacts = Artifacts.of(env, say);
    }

    /**
     * What would have to be downloaded, in words: {@code Tomcat 11.0.24}; empty if nothing.
     *
     * @throws LabException if it can't be tried at all
     */
    public Optional<String> wants(Target target) throws LabException {
        return CheckTarget.of(target, env.home()) instanceof CheckTarget.OnDistribution d
                        && !Distribution.isThere(d.server(), artifacts)
                ? Optional.of(named(d.server()))
                : Optional.empty();
    }

    private static String named(Target.Standalone s) {
        return s.server().title() + " " + s.version().orElse("");
    }

    /**
     * Starts the server and reads the values back.
     *
     * @param files the rendered texts; apart from the target's own configuration, nothing else reaches the server
     * @param wanted the setting they should produce
     * @param run the run's folder, in which the check gets its own
     * @throws LabException if it can't be tried at all; problems with the texts are in the verdict
     */
    public ConfigVerdict check(Target target, List<ConfigFile> files, Setting wanted, Path run)
            throws LabException, InterruptedException {
        CheckTarget what = CheckTarget.of(target, env.home());
        Path folder = Workspace.fresh(run, "config-check");
        if (OtherUser.in(target)) {
            env.workspace().letThrough(folder);
        }
        try {
            RenderedConfig config = RenderedConfig.read(files);
            List<String> notes = notes(what, config);
            try (RunningTarget running = new RenderedStart(env, artifacts, config, wanted, folder).on(what)) {
                return verdict(running, target, config, wanted, notes, folder);
            } catch (TrialFailure e) {
                return failed(e.asFailure().message(), notes, folder);
            }
        } catch (ConfigException e) {
            return failed(String.valueOf(e.getMessage()), List.of(), folder);
        }
    }

    private static ConfigVerdict failed(String why, List<String> notes, Path folder) {
        return new ConfigVerdict("", Optional.of(why), List.of(), notes, folder);
    }

    private ConfigVerdict verdict(
            RunningTarget running,
            Target target,
            RenderedConfig config,
            Setting wanted,
            List<String> notes,
            Path folder)
            throws InterruptedException {
        var effective = new EffectiveValues(env.proc(), own, Set.of());
        effective.read(running, target, wanted);
        OptionalInt queue = running.queueLimit(env.proc());
        var reads = new ArrayList<ReadBack>();
        wanted.values().forEach((knob, value) -> {
            ReadBack read = read(running, effective, target, knob, value, queue);
            boolean unsaid = read.outcome() != Outcome.DIFFERS
                    || config.files().stream()
                            .noneMatch(f -> value.equals(f.without().get(knob)));
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
        String version =
                running.facts().getOrDefault("serverVersion", running.facts().getOrDefault("server", ""));
        return new ConfigVerdict(
                version.isEmpty() ? target.label() : version.replace('/', ' '), Optional.empty(), reads, notes, folder);
    }

    private static ReadBack read(
            RunningTarget running,
            EffectiveValues effective,
            Target target,
            String knob,
            String value,
            OptionalInt queue) {
        Optional<String> got = knob.equals("backlog") && queue.isPresent()
                ? Optional.of(Integer.toString(queue.getAsInt()))
                : Optional.ofNullable(running.effective().get(knob));
        boolean differs = effective.difference(running, knob, value, queue).isPresent();
        Outcome outcome = got.isEmpty() ? Outcome.UNREADABLE : differs ? Outcome.DIFFERS : Outcome.OK;
        Optional<NativeKnob> on =
                Knobs.find(knob).map(k -> target.knownServer().map(k::on).orElseGet(k::onAny));
        String why = switch (outcome) {
            case OK -> "";
            case DIFFERS -> on.map(NativeKnob::mayDiffer).orElse("");
            case UNREADABLE -> on.map(NativeKnob::unread).orElse("");
            case NOT_WRITTEN -> "";
        };
        return new ReadBack(knob, value, got, outcome, why);
    }

    private static List<String> notes(CheckTarget what, RenderedConfig config) {
        var notes = new ArrayList<>(what.note().stream().toList());
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
