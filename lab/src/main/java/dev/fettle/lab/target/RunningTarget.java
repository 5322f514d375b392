package dev.fettle.lab.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Child;
import dev.fettle.lab.process.CrashOutput;
import dev.fettle.lab.process.Guest;
import dev.fettle.load.api.Tls;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.HostSignals;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.SignalSource;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A target that is up, with everything that must be ended with it. */
public final class RunningTarget implements AutoCloseable {
    /** The largest region that G1 chooses by itself; what other collectors round to is less. */
    private static final long USUAL_ROUNDING = 32L << 20;

    private final InetSocketAddress address;
    private final Optional<Child> process;
    private final Optional<Guest> guest;
    private final double startupMillis;
    private final Map<String, String> effective = new TreeMap<>();

    /** All values the server reported, wanted or not. */
    private final Map<String, String> told = new TreeMap<>();

    /** Knobs whose values are kept even if nobody set them. */
    private Set<String> asked = Set.of();

    /** Why nothing is known of what its server has set, if nothing is. */
    private Optional<Unread> unread = Optional.empty();

    private final Map<String, String> facts = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private WorkerProbe probe = WorkerProbe.NONE;

    /** Sources of its figures over time; closed with it. */
    private final List<SignalSource> signals = new ArrayList<>();

    /** What reads the host's figures under the load that was the last to begin. */
    private Optional<SignalSource> host = Optional.empty();

    /** The certificate, in PEM, of a server that got one from Fettle. */
    private Optional<Path> certificate = Optional.empty();

    /** Where its live knobs can be set, if they can. */
    private Optional<LiveControl> control = Optional.empty();

    /** The one that listens, of the processes that Fettle started. */
    private OptionalLong server = OptionalLong.empty();

    /** Sizes that the JVM rounds up become larger by less than this. */
    private long rounding = USUAL_ROUNDING;

    private final List<AutoCloseable> parts = new ArrayList<>();

    /** Called when measuring begins. */
    private final List<Runnable> whenMeasured = new ArrayList<>();

    private record Unread(Kind kind, String why) {}

    public RunningTarget(InetSocketAddress address, Optional<Child> process, double startupMillis) {
        this(address, process, Optional.empty(), startupMillis);
    }

    private RunningTarget(
            InetSocketAddress address, Optional<Child> process, Optional<Guest> guest, double startupMillis) {
        this.address = address;
        this.process = process;
        this.guest = guest;
        this.startupMillis = startupMillis;
    }

    /** An already running target. */
    public static RunningTarget of(InetSocketAddress address, Guest guest) {
        return new RunningTarget(address, Optional.empty(), Optional.of(guest), 0);
    }

    /** Notes the certificate that the server got from Fettle, which its clients have to trust. */
    public void secured(Path pem) {
        certificate = Optional.of(pem);
    }

    /**
     * The load as this target needs it: over TLS if it got a certificate from Fettle, trusting that one and no other.
     */
    public Load over(Load load) {
        return certificate
                .flatMap(pem -> load.wire()
                        .tls()
                        .map(t -> load.withWire(
                                load.wire().with(new Tls(Optional.of(pem.toString()), false, t.resume())))))
                .orElse(load);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** The process that Fettle started; ended with this. */
    public Optional<Child> process() {
        return process;
    }

    /** A watched process that Fettle did not start; it stays when this is closed. */
    public Optional<Guest> guest() {
        return guest;
    }

    /** From launch to ready; 0 if it ran already. */
    public double startupMillis() {
        return startupMillis;
    }

    /** Knob values read back from it so far. */
    public Map<String, String> effective() {
        return Collections.unmodifiableMap(effective);
    }

    /** Records a knob value that was read back. */
    public void readBack(String knob, String value) {
        effective.put(knob, value);
    }

    /** Versions and names, as far as known. */
    public Map<String, String> facts() {
        return Collections.unmodifiableMap(facts);
    }

    /** Adds a version or a name. */
    public void fact(String name, String value) {
        facts.put(name, value);
    }

    /** Notes that its JVM rounds sizes up to multiples of this. */
    public void roundsUpTo(long bytes) {
        rounding = Math.max(rounding, bytes);
    }

    /** A size that its JVM rounds up becomes larger by less than this. */
    public long rounding() {
        return rounding;
    }

    /** What could not be read so far, and why. */
    public List<String> notes() {
        return Collections.unmodifiableList(notes);
    }

    /** Adds what could not be read, and why. */
    public void note(String text) {
        notes.add(text);
    }

    /** What counts its busy workers. */
    public WorkerProbe probe() {
        return probe;
    }

    /** Has its busy workers counted by another probe from now on; it is closed with this. */
    public void countWorkers(WorkerProbe by) {
        probe = by;
    }

    /** Notes which of the processes that Fettle started serves, where that was found out. */
    public void servedBy(long pid) {
        server = OptionalLong.of(pid);
    }

    /** The process whose CPU and sockets are watched; this process itself if the target's is unknown. */
    public long pid() {
        return process.map(c -> server.orElseGet(c::jvmPid))
                .or(() -> guest.map(Guest::pid))
                .orElse(ProcessHandle.current().pid());
    }

    /** Adds a source of figures over time, closed with this. */
    public void add(SignalSource source) {
        signals.add(source);
        parts.add(source);
    }

    /**
     * What reads figures over time: of the host, and of the target as far as its process is known. A target has one load at a time:
     * what read the host's under the load before is closed.
     *
     * @param dumps whether whole names of its threads may be had from a thread dump
     */
    public List<SignalSource> signals(Proc proc, DumpAllowance dumps) {
        var all = new ArrayList<SignalSource>();
        host.ifPresent(SignalSource::close);
        SignalSource now = watched()
                ? HostSignals.of(proc, pid(), dumps.names(pid(), process.isPresent()))
                : HostSignals.ofHost(proc);
        host = Optional.of(now);
        all.add(now);
        all.addAll(signals);
        return all;
    }

    /** Registers what is called when the warm-up has ended. */
    public void whenMeasured(Runnable told) {
        whenMeasured.add(told);
    }

    /** The warm-up has ended. */
    public void measuringBegins() {
        whenMeasured.forEach(Runnable::run);
    }

    /** Whether the target's process is known. */
    public boolean watched() {
        return process.isPresent() || guest.isPresent();
    }

    /**
     * Its accept queue; empty if this machine's kernel does not show it, as of a process with a network of its own (a container),
     * or of a URL on another machine: another program may listen on the same port here.
     */
    public Optional<ListenQueue> queue(Proc proc) {
        if (!watched()) {
            return isElsewhere() ? Optional.empty() : Optional.of(new ListenQueue(address.getPort()));
        }
        return proc.sharesNetwork(pid()).orElse(false)
                ? Optional.of(ListenQueue.of(pid(), address.getPort()))
                : Optional.empty();
    }

    /** Its accept queue's limit, if it is known. */
    public OptionalInt queueLimit(Proc proc) throws InterruptedException {
        Optional<ListenQueue> queue = queue(proc);
        return queue.isPresent() ? queue.get().limit() : OptionalInt.empty();
    }

    /** Whether it is a URL that is not of this machine: what is seen here of CPUs and sockets tells nothing of its own. */
    public boolean isElsewhere() {
        return !watched() && !address.getAddress().isLoopbackAddress();
    }

    /** All processes of the trial, this one included; empty if unknown. */
    public List<Long> processes() {
        if (!watched()) {
            return List.of();
        }
        var all = new ArrayList<Long>(List.of(pid(), ProcessHandle.current().pid()));
        parts.stream()
                .filter(Child.class::isInstance)
                .map(p -> ((Child) p).pid())
                .forEach(all::add);
        return all;
    }

    /**
     * Records that what its server has set could not be read, so that no value of it may count as in force.
     *
     * @param kind of the failure that this is to a trial that set one
     */
    public void unread(Kind kind, String why) {
        unread = Optional.of(new Unread(kind, why));
    }

    /** What a setting of a knob of its server fails with if nothing of the server could be read. */
    Optional<TrialFailure> unread(String knob, String set) {
        return unread.filter(_ -> Knobs.ofServer(knob))
                .map(u -> new TrialFailure(
                        u.kind(), knob + " was set to " + set + " and could not be read back: " + u.why()));
    }

    /**
     * Records what a target reports about itself.
     *
     * @param about names and versions
     * @param values effective values by common knob name; those that were set and those always shown are kept
     */
    public void describe(JsonNode about, JsonNode values, Setting setting) {
        for (String fact : List.of("server", "serverVersion", "javaVersion")) {
            if (about.hasNonNull(fact)) {
                facts.put(fact, about.get(fact).asText());
            }
        }
        values.fields().forEachRemaining(e -> {
            if (!e.getValue().isNull()) {
                told.put(e.getKey(), e.getValue().asText());
            }
        });
        unread = Optional.empty();
        inForce(told, setting);
    }

    /**
     * Records where its live knobs can be set, if it takes any.
     *
     * @param address the control port of one of Fettle's own servers, or of the agent
     * @param port the server's port, for the agent
     * @param live those that it takes now
     */
    public void setThrough(ControlAddress address, OptionalInt port, Set<String> live) {
        if (!live.isEmpty()) {
            var through = new LiveControl(address, port, live);
            control = Optional.of(through);
            parts.add(through);
        }
    }

    /** Where its live knobs can be set; empty if they can't. */
    public Optional<LiveControl> control() {
        return control;
    }

    /** Records the values in force after a setting was changed, in place of those from before. */
    public void changed(Map<String, String> values, Setting setting) {
        effective.keySet().removeAll(values.keySet());
        inForce(values, setting);
    }

    /** Forgets all notes but the first ones. */
    public void keepNotes(int first) {
        notes.subList(Math.min(first, notes.size()), notes.size()).clear();
    }

    /** Records effective values: those of the knobs that were set, of those always shown, and of those asked for. */
    public void inForce(Map<String, String> values, Setting setting) {
        told.putAll(values);
        values.forEach((knob, value) -> {
            Optional<Knob> known = Knobs.find(knob);
            boolean shown = known.map(Knob::shown).orElse(false);
            boolean wanted =
                    asked.contains(knob) && known.filter(k -> k.takes(value)).isPresent();
            if (shown || wanted || setting.get(knob).isPresent()) {
                effective.put(knob, value);
            }
        });
    }

    /**
     * Keeps the reported values of more knobs, now and after each change, even if nobody set them: those that could be set, and do not
     * stand for one that the server finds itself.
     */
    public void keep(Set<String> knobs, Setting setting) {
        asked = Set.copyOf(knobs);
        inForce(Map.copyOf(told), setting);
    }

    public boolean alive() {
        return process.map(Child::alive).or(() -> guest.map(Guest::alive)).orElse(true);
    }

    /** Why it is not alive, in one line with its last output. */
    public String ended(String when) {
        return guest.map(g -> g.ended() + " " + when)
                .orElseGet(() -> new CrashOutput(process.orElseThrow()).ended("target", when));
    }

    /** Adds something to close after the target, in reverse order of adding. */
    public void owns(AutoCloseable part) {
        parts.add(part);
    }

    @Override
    public void close() {
        probe.close();
        process.ifPresent(Child::close);
        host.ifPresent(SignalSource::close);
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                notes.add("could not end a part of the target: " + e.getMessage());
            }
        }
    }
}
