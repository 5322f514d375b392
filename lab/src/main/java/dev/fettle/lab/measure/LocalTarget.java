package dev.fettle.lab.measure;

import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.port.LiveSettings;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.lab.process.Child;
import dev.fettle.lab.process.CompilerThreads;
import dev.fettle.lab.process.CrashOutput;
import dev.fettle.lab.process.ProcessKnobs;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.LiveControl;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.jvm.JvmSignals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A target on this machine. */
final class LocalTarget implements TargetHandle {
    private final LabEnvironment env;
    private final RunningTarget target;
    private final EffectiveValues effective;
    /** Under the load that was the last to begin. */
    private CompilerThreads compilers;

    private Optional<Profiling> profiling = Optional.empty();
    private boolean explains;

    LocalTarget(LabEnvironment env, RunningTarget target, EffectiveValues effective) {
        this.env = env;
        this.target = target;
        this.effective = effective;
        this.compilers = new CompilerThreads(env.proc(), Optional.empty());
    }

    @Override
    public About about() {
        return TrialEvidence.about(env, target);
    }

    @Override
    public List<Long> processes() {
        return target.processes();
    }

    @Override
    public Load over(Load load) {
        return target.over(load);
    }

    @Override
    public void awaitReady(Load load) throws TrialFailure, InterruptedException {
        Readiness.await(target, load);
    }

    @Override
    public OptionalInt readBack(TrialSpec spec) throws TrialFailure, InterruptedException {
        return effective.readBack(target, spec);
    }

    @Override
    public void observe(TrialSpec spec, Path folder) {
        if (target.process().isPresent()) {
            target.add(JvmSignals.of(target.pid(), target.address().getPort())
                    .withThreads(env.dumps().any()));
        }
        explains = spec.phase() == TrialSpec.Phase.EXPLAIN;
        profiling = TrialProfiling.begin(env, spec, target, folder);
    }

    @Override
    public void measuringBegins() {
        target.measuringBegins();
    }

    @Override
    public Evidence recorded(Evidence seen) {
        Evidence all = profiling.map(p -> p.end(seen)).orElse(seen);
        return explains ? all.withTimeline(all.timeline().withSightings(warnings())) : all;
    }

    private List<Sighting> warnings() {
        return target.process().stream()
                .flatMap(c -> c.warnings().entrySet().stream())
                .map(w -> new Sighting(Sighting.LOG_WARNING, w.getKey(), w.getValue(), ""))
                .toList();
    }

    @Override
    public WatchPort watch(WatchPort.Order order) {
        compilers = new CompilerThreads(env.proc(), target.process().map(_ -> target.pid()));
        var disturbances = TrialEvidence.meter(env, target, order.generator(), order.own());
        HostWatch host = TrialEvidence.watch(env, target, disturbances, target.probe());
        OptionalLong partner = order.partner();
        return new LocalWatch(
                host,
                DumpKeeper.of(env, target, order.load()),
                host::sample,
                () -> partner.isPresent() ? env.proc().cpuSeconds(partner.getAsLong()) : OptionalFigure.empty());
    }

    @Override
    public void keepCompilersOn(Set<Integer> cpus) throws InterruptedException {
        compilers.keepOn(cpus);
    }

    @Override
    public boolean alive() {
        return target.alive();
    }

    @Override
    public String ended(String when) {
        return target.ended(when);
    }

    @Override
    public void check() throws TrialFailure, InterruptedException {
        if (!target.alive()) {
            throw died();
        }
        Optional<String> full = target.process().flatMap(Child::diskFull);
        if (full.isPresent()) {
            throw new TrialFailure(Kind.LAB, full.get() + ": the trial was ended before it is full");
        }
    }

    @Override
    public void words() throws TrialFailure, InterruptedException {
        if (target.process().flatMap(c -> new CrashOutput(c).line()).isPresent()) {
            throw died();
        }
    }

    private TrialFailure died() throws InterruptedException {
        if (target.process().isEmpty()) {
            return new TrialFailure(Kind.DIED, target.ended("under load"));
        }
        Child child = target.process().get();
        child.awaitEnd(Duration.ofSeconds(1));
        var last = new CrashOutput(child);
        String words = last.line().orElseGet(() -> child.tail(3));
        String message = (child.alive()
                        ? "the target threw"
                        : "the target exited with code " + child.exitCode().orElse(-1) + " under load")
                + (words.isBlank() ? "" : ": " + words)
                + last.remark(env.proc(), Optional.ofNullable(target.effective().get(ProcessKnobs.NPROC)));
        return new TrialFailure(last.kind(Kind.DIED), message);
    }

    @Override
    public Optional<LiveSettings> live() {
        return target.control().map(c -> c);
    }

    @Override
    public void confirm(Setting setting) throws TrialFailure {
        LiveControl control = target.control().orElseThrow();
        try {
            Map<String, String> inForce = new TreeMap<>(control.values());
            inForce.keySet().retainAll(control.live());
            target.changed(inForce, setting);
        } catch (IOException e) {
            throw new TrialFailure(Kind.NOT_EFFECTIVE, String.valueOf(e.getMessage()));
        }
        for (var e : setting.values().entrySet()) {
            if (control.live().contains(e.getKey())) {
                Optional<TrialFailure> difference =
                        effective.difference(target, e.getKey(), e.getValue(), OptionalInt.empty());
                if (difference.isPresent()) {
                    throw difference.get();
                }
            }
        }
    }

    @Override
    public Map<String, String> effective() {
        return target.effective();
    }

    @Override
    public Map<String, String> facts() {
        return target.facts();
    }

    @Override
    public void fact(String name, String value) {
        target.fact(name, value);
    }

    @Override
    public List<String> notes() {
        return target.notes();
    }

    @Override
    public void note(String text) {
        target.note(text);
    }

    @Override
    public void keepNotes(int first) {
        target.keepNotes(first);
    }

    @Override
    public OptionalLong peakMemory() {
        return target.process().isPresent() ? env.proc().peakMemory(target.pid()) : OptionalLong.empty();
    }

    @Override
    public boolean killed() {
        return target.process().map(Child::killed).orElse(false);
    }

    @Override
    public long logsLeftOut() {
        return target.process().map(Child::logsLeftOut).orElse(0L);
    }

    @Override
    public void close() {
        target.close();
    }
}
