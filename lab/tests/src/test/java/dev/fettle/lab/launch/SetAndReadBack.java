package dev.fettle.lab.launch;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.JvmOption;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.watch.host.ListenQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/** Sets knobs to values that are no default on a real target, and reads them back as a trial does. */
final class SetAndReadBack {
    private final LabEnvironment env;
    private final Path folder;
    private int launches;

    SetAndReadBack(Path folder) throws LabException {
        this.env = Fixtures.unloaded(folder);
        this.folder = folder;
    }

    int launches() {
        return launches;
    }

    /** Whether the JVM of these tests has the flag behind it, and this machine the JDK that is tried. */
    static boolean inThisJava(Knob knob) {
        if (knob.type() == Knob.Type.JDK) {
            String tried = knob.on(ServerKind.TOMCAT).trial();
            return Jdks.system().all().containsKey(Integer.valueOf(tried));
        }
        int release = Runtime.version().feature();
        return knob.option()
                .map(o -> o.since() <= release && release <= o.until())
                .orElse(true);
    }

    /** As few settings as bear each other: each knob goes into the first one that stays possible. */
    static List<Setting> settings(Target target, Predicate<Knob> which) {
        ServerKind server = target.knownServer().orElseThrow();
        var settings = new ArrayList<Setting>();
        for (Knob knob : Knobs.all()) {
            if (!knob.on(server).applies()
                    || !inThisJava(knob)
                    || knob.name().equals("jvm.gc")
                    || !which.test(knob)
                    || !possible(target, with(Setting.DEFAULT, knob, server))) {
                continue;
            }
            Setting wanted = with(Setting.DEFAULT, knob, server);
            int i = 0;
            while (i < settings.size() && !possible(target, settings.get(i).with(wanted), settings.get(i), wanted)) {
                i++;
            }
            if (i == settings.size()) {
                settings.add(Setting.DEFAULT);
            }
            settings.set(i, settings.get(i).with(wanted));
        }
        return settings;
    }

    private static Setting with(Setting setting, Knob knob, ServerKind server) {
        Setting with = setting.with(knob.name(), knob.canonical(knob.on(server).trial()));
        for (var need : knob.needs().entrySet()) {
            Knob other = Knobs.find(need.getKey()).orElseThrow();
            with = with.with(
                    other.name(),
                    need.getValue().isEmpty() ? other.canonical(other.on(server).trial()) : need.getValue());
        }
        String collector = knob.option().map(JvmOption::collector).orElse("");
        return collector.isEmpty() ? with : with.with("jvm.gc", collector);
    }

    static boolean possible(Target target, Setting setting) {
        return Constraints.check(target, setting, Runtime.getRuntime().availableProcessors(), 4096)
                .isEmpty();
    }

    private static boolean possible(Target target, Setting together, Setting before, Setting added) {
        boolean overwrites = added.values().entrySet().stream()
                .anyMatch(e -> before.get(e.getKey())
                        .filter(v -> !v.equals(e.getValue()))
                        .isPresent());
        boolean otherJdk = together.get(Target.Jvm.JDK).isPresent(); // alone: other knobs are tried on this one
        return !overwrites
                && !(otherJdk && together.values().size() > 1)
                && possible(target, together)
                && APART.stream().noneMatch(a -> together.values().keySet().containsAll(a));
    }

    /** What the JVM does not bear together. */
    private static final Set<Set<String>> APART = Set.of(
            Set.of("jvm.pages.large", "jvm.pages.transparent"),
            Set.of("jvm.jit.tiered", "jvm.jit.level"),
            Set.of("jvm.jit.tiered", "jvm.codecache.segmented"),
            Set.of("jvm.oops.compressed", "jvm.headers.compact"),
            Set.of("jvm.jit.level", "jvm.jit.threads"),
            Set.of("jvm.jit.tiered", "jvm.jit.threads"));

    /**
     * Launches it once.
     *
     * @return for each knob of the setting: ok, differs (where the catalogue says that it may), exception (it can't be read, as
     *     the catalogue says), not read, or what is wrong
     */
    Map<String, String> launch(Target target, Setting setting, Load load) throws Exception {
        Path trial = Files.createDirectory(folder.resolve("launch-" + launches++));
        var launcher = new TargetLauncher(
                env, Artifacts.of(env, note -> {}), new Calibration(folder), List.of(), new TrialFiles(), note -> {});
        var spec = Fixtures.spec(target, setting, load);
        try (RunningTarget running = launcher.launch(spec, trial, new Ports())) {
            Readiness.await(running, spec.load());
            return compared(running, target, setting);
        } catch (TrialFailure e) {
            throw new AssertionError(target.label() + " " + setting + ": " + e.getMessage(), e);
        }
    }

    /** The same of a server in this JVM, without a launch; for a setting of the server alone. */
    Map<String, String> here(Target.Embedded target, Setting setting) throws Exception {
        try (var server = OwnServerHere.start(target, setting)) {
            return compared(server.running(), target, setting);
        }
    }

    private Map<String, String> compared(RunningTarget running, Target target, Setting setting) throws Exception {
        ServerKind server = target.knownServer().orElseThrow();
        var effective = new EffectiveValues(env.proc(), List.of(), Set.of());
        var results = new LinkedHashMap<String, String>();
        OptionalInt queue = new ListenQueue(running.address().getPort()).limit();
        effective.read(running, target, setting);
        for (var e : setting.values().entrySet()) {
            NativeKnob on = Knobs.find(e.getKey()).orElseThrow().on(server);
            boolean kernel = e.getKey().equals("backlog") && queue.isPresent();
            Optional<TrialFailure> wrong = effective.difference(running, e.getKey(), e.getValue(), queue);
            results.put(
                    e.getKey(),
                    wrong.isPresent()
                            ? on.mayDiffer().isEmpty()
                                    ? String.valueOf(wrong.get().getMessage())
                                    : "differs"
                            : !on.unread().isEmpty() && !kernel
                                    ? "exception"
                                    : running.effective().containsKey(e.getKey()) ? "ok" : "not read");
        }
        return results;
    }
}
