package dev.fettle.lab.target;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.ProcessKnobs;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.knob.JvmOption;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.host.HostLimits;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.JvmProbe;
import dev.fettle.watch.jvm.RunningJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads knob values back from a running target, and compares them with those that were set.
 *
 * @param own knobs of the user's application, which are read back as the plan says
 * @param tuned knobs that are read even where a setting leaves them alone: a search must know what the default is
 */
public record EffectiveValues(Proc proc, List<OwnKnob> own, Set<String> tuned) {
    public EffectiveValues {
        own = List.copyOf(own);
        tuned = Set.copyOf(tuned);
    }

    private boolean wanted(String knob, Setting setting) {
        return tuned.contains(knob) || setting.get(knob).isPresent();
    }

    /** Adds what the kernel, the JVM and a TLS handshake report to what the target reported itself. */
    public OptionalInt readBack(RunningTarget running, TrialSpec spec) throws TrialFailure, InterruptedException {
        Load load = running.over(spec.load());
        TlsLook.at(running, load, spec.setting());
        OptionalInt queue = running.queueLimit(proc);
        if (queue.isEmpty()) {
            running.note(
                    "effective backlog not read: its socket can't be seen from here, or ss(8) of iproute2 is missing");
        }
        read(running, Optional.of(load), spec.target(), spec.setting());
        compare(running, spec.setting(), queue);
        return queue;
    }

    /** Reads the set knobs from the process and the JVM. */
    public void read(RunningTarget running, Target target, Setting setting) throws InterruptedException {
        read(running, Optional.empty(), target, setting);
    }

    private void read(RunningTarget running, Optional<Load> load, Target target, Setting setting)
            throws InterruptedException {
        new OwnReadBack(running, load).read(own);
        running.keep(tuned, setting);
        if (running.process().isPresent()) {
            if (target instanceof Target.Command command) {
                attach(running, command);
            }
            readJvm(running, setting);
            readProcess(running, setting);
            if (target.takesProperties() && wanted(BootLayout.KNOB, setting)) {
                readLayout(running);
            }
        }
    }

    /** Its loader of nested jars is there only if the jar was started as it is. */
    private static void readLayout(RunningTarget running) {
        try (var jvm = RunningJvm.attach(running.pid())) {
            boolean nested = jvm.systemProperty("java.protocol.handler.pkgs")
                    .filter(p -> p.contains("org.springframework.boot.loader"))
                    .isPresent();
            running.readBack(BootLayout.KNOB, nested ? BootLayout.JAR : BootLayout.EXTRACTED);
        } catch (IOException e) {
            running.note(BootLayout.KNOB + " not read back: " + e.getMessage());
        }
    }

    private static void attach(RunningTarget running, Target.Command command) {
        if (command.workers().isEmpty()) {
            running.note("busy threads not read: the plan names no 'workers' thread prefix");
            return;
        }
        try {
            running.countWorkers(
                    JvmProbe.attach(running.pid(), command.workers().get()).patient());
        } catch (IOException e) {
            running.note("busy threads not read: " + e.getMessage());
        }
    }

    private void readJvm(RunningTarget running, Setting setting) {
        List<Knob> wanted = Knobs.all().stream()
                .filter(k -> k.option().isPresent() && wanted(k.name(), setting))
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        try (var jvm = RunningJvm.attach(running.pid())) {
            for (String unit : List.of("G1HeapRegionSize", "LargePageSizeInBytes")) {
                jvm.vmOption(unit).map(Long::parseLong).ifPresent(running::roundsUpTo);
            }
            for (Knob knob : wanted) {
                JvmOption option = knob.option().orElseThrow();
                Optional<String> value = knob.type() == Knob.Type.JDK
                        ? jdk(jvm, setting.get(knob.name()).orElse("")).map(v -> option.common(knob, v))
                        : read(jvm, knob);
                value.filter(v -> setting.get(knob.name()).isPresent() || knob.takes(v))
                        .ifPresent(v -> running.readBack(knob.name(), v));
            }
        } catch (IOException e) {
            running.note("JVM flags not read back: " + e.getMessage());
        }
    }

    /** A JVM knob's value in force. */
    public static Optional<String> read(RunningJvm jvm, Knob knob) {
        JvmOption option = knob.option().orElseThrow();
        return value(jvm, option).map(v -> option.common(knob, v));
    }

    /** A JDK set as a home folder is read back as one. */
    private static Optional<String> jdk(RunningJvm jvm, String set) {
        if (!set.startsWith("/")) {
            return jvm.systemProperty("java.specification.version");
        }
        Optional<String> home = jvm.systemProperty("java.home");
        return home.filter(h -> sameFolder(h, set)).map(h -> set).or(() -> home);
    }

    private static boolean sameFolder(String one, String other) {
        try {
            return Files.isSameFile(Path.of(one), Path.of(other));
        } catch (IOException e) {
            return false; // gone meanwhile: compare by name
        }
    }

    private static Optional<String> value(RunningJvm jvm, JvmOption option) {
        if (option.property()) {
            return jvm.systemProperty(option.name());
        }
        if (option.name().isEmpty()) { // one flag per choice
            return option.values().values().stream()
                    .filter(own -> jvm.vmOption("Use" + own + "GC").orElse("").equals("true"))
                    .findFirst();
        }
        return jvm.vmOption(option.name());
    }

    private void readProcess(RunningTarget running, Setting setting) {
        String pid = Long.toString(running.pid());
        if (wanted(ProcessKnobs.CPUS, setting)) {
            running.readBack(
                    ProcessKnobs.CPUS, Integer.toString(proc.allowedCpus(pid).size()));
        }
        if (wanted("process.nofile", setting)) {
            proc.softLimit(pid, "Max open files").ifPresent(n -> running.readBack("process.nofile", Long.toString(n)));
        }
        if (wanted(ProcessKnobs.NPROC, setting)) {
            running.readBack(
                    ProcessKnobs.NPROC,
                    HostLimits.unbound(proc, pid)
                            .orElseGet(() -> proc.softLimit(pid, "Max processes").stream()
                                    .mapToObj(Long::toString)
                                    .findFirst()
                                    .orElse("no limit")));
        }
        if (wanted(ProcessKnobs.NICE, setting)) {
            proc.nice(running.pid()).ifPresent(n -> running.readBack(ProcessKnobs.NICE, Integer.toString(n)));
        }
    }

    private void compare(RunningTarget running, Setting setting, OptionalInt queue) throws TrialFailure {
        for (var e : setting.values().entrySet()) {
            Optional<TrialFailure> difference = difference(running, e.getKey(), e.getValue(), queue);
            if (difference.isPresent()) {
                throw difference.get();
            }
        }
    }

    /** What is wrong with one knob, if anything; if nothing, its effective value is the one set. */
    public Optional<TrialFailure> difference(RunningTarget running, String knob, String set, OptionalInt queue) {
        String got = running.effective().get(knob);
        if (knob.equals("backlog") && queue.isPresent()) {
            int wanted = Math.min(Integer.parseInt(set), proc.somaxconn());
            if (queue.getAsInt() != wanted) {
                return Optional.of(
                        notEffective(knob, set, queue.getAsInt() + " (accept queue of the listening socket)"));
            }
            running.readBack(knob, Integer.toString(queue.getAsInt()));
            return Optional.empty();
        }
        if (got == null) {
            Optional<TrialFailure> unread = running.unread(knob, set);
            if (unread.isPresent()) {
                return unread;
            }
            running.note(knob + " was set to " + set + " and can't be read back from this target");
            return Optional.empty();
        }
        if (knob.equals(ProcessKnobs.NPROC) && !got.matches("[0-9]+")) {
            return Optional.of(TrialFailure.notEffective(
                    knob, knob + " was set to " + set + " and has no effect on this process: " + got));
        }
        if (!same(knob, set, got, running.rounding())) {
            return Optional.of(notEffective(knob, set, got + overruled(running, knob)));
        }
        running.readBack(knob, set);
        return Optional.empty();
    }

    /**
     * Whether a value in force is the one that was set.
     *
     * @param rounding a JVM that rounds a size up adds less than this
     */
    static boolean same(String name, String set, String got, long rounding) {
        Optional<Knob> knob = Knobs.find(name);
        if (knob.isEmpty() || !knob.get().hasInterval()) {
            return got.equals(set);
        }
        try {
            long wanted = knob.get().number(set);
            long read = knob.get().number(got);
            boolean mayBeMore = knob.get().option().map(JvmOption::atLeast).orElse(false);
            return read == wanted || mayBeMore && read > wanted && read - wanted < rounding;
        } catch (IllegalArgumentException e) {
            return false; // out of the knob's range
        }
    }

    /** The usual reason why a JVM has another value than its last flag says. */
    private String overruled(RunningTarget running, String knob) {
        boolean given = Knobs.find(knob).flatMap(Knob::option).isPresent()
                && running.process().isPresent()
                && proc.text(running.pid() + "/environ").stream()
                        .flatMap(variables -> Stream.of(variables.split("\0")))
                        .anyMatch(variable -> variable.startsWith("_JAVA_OPTIONS="));
        return given ? ": the variable _JAVA_OPTIONS is set, and its flags win over all others" : "";
    }

    private static TrialFailure notEffective(String knob, String set, String got) {
        return TrialFailure.notEffective(knob, knob + " was set to " + set + ", but the running target has " + got);
    }
}
