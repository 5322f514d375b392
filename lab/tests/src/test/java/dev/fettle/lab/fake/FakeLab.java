package dev.fettle.lab.fake;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.TargetPort;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.signal.TimelineRecorder;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Targets, loads and a watch that are scripts, on a clock that does not wait. What is still up can be asked for at the end. */
public final class FakeLab implements Site {
    private final FakeClock clock = new FakeClock();
    private final BiFunction<Integer, TrialSpec, FakeServer> servers;
    private final List<FakeTarget> launched = new ArrayList<>();
    private final Set<FakeTarget> up = new HashSet<>();
    private final Set<LoadRun> loads = new HashSet<>();
    private final Set<FakeServer> measured = new HashSet<>();

    /** @param servers the server of the n-th launch, from 1 */
    public FakeLab(BiFunction<Integer, TrialSpec, FakeServer> servers) {
        this.servers = servers;
    }

    @Override
    public FakeClock clock() {
        return clock;
    }

    /** The server of the n-th launch, from 1. */
    public FakeServer server(int launch) {
        return launched.get(launch - 1).server();
    }

    /** Servers launched so far. */
    public int launches() {
        return launched.size();
    }

    @Override
    public int running() {
        return up.size() + loads.size();
    }

    @Override
    public TargetPort targets() {
        return this::launch;
    }

    private FakeTarget launch(TrialSpec spec, Path folder, Map<String, Integer> ports)
            throws TrialFailure, InterruptedException {
        FakeServer server = servers.apply(launched.size() + 1, spec);
        var target = new FakeTarget(this, Optional.of(spec), server, launched.size() + 1);
        launched.add(target);
        server.step(Phase.LAUNCH);
        clock.sleep(server.mode == FakeServer.Mode.SILENT ? Duration.ofSeconds(60) : Duration.ofSeconds(1));
        if (server.exclusive && up.stream().anyMatch(t -> t.server().exclusive)) {
            server.dies(1);
            throw new TrialFailure(
                    Kind.LAB, "the target exited with code 1 before it listened: Address already in use");
        }
        switch (server.mode) {
            case DEAD ->
                throw new TrialFailure(
                        Kind.DID_NOT_START, "the target exited with code " + server.exitCode + " before it listened");
            case SILENT, REFUSES, NOT_ASKED -> throw new TrialFailure(Kind.NEVER_READY, "nothing listens");
            case ANSWERS, WRONG -> up.add(target);
        }
        return target;
    }

    /** A server that runs already, at this address. */
    public InetSocketAddress runs(FakeServer server) {
        var target = new FakeTarget(this, Optional.empty(), server, launched.size() + 1);
        launched.add(target);
        return target.about().address();
    }

    /** A watch of the server of the n-th launch, from 1. */
    public WatchPort watch(int launch) {
        return new Watch(server(launch), Optional.empty());
    }

    void ended(FakeTarget target) {
        up.remove(target);
    }

    @Override
    public LoadPort loads() {
        return order -> {
            int port = order.address().getPort();
            FakeServer server = launched.stream()
                    .filter(t -> t.about().address().getPort() == port)
                    .findFirst()
                    .orElseThrow()
                    .server();
            if (server.impossible.isPresent()) {
                throw server.impossible.get();
            }
            var load = new FakeLoad(this, server, order);
            loads.add(load);
            return load;
        };
    }

    void over(LoadRun load) {
        loads.remove(load);
    }

    boolean isMeasured(FakeServer server) {
        return measured.contains(server);
    }

    WatchPort watch(FakeServer server, Optional<FakeServer> partner) {
        return new Watch(server, partner);
    }

    /** The server of a process. */
    Optional<FakeServer> of(long pid) {
        return launched.stream()
                .filter(t -> t.about().pid() == pid)
                .map(FakeTarget::server)
                .findFirst();
    }

    private final class Watch implements WatchPort {
        private final TimelineRecorder recorder = new TimelineRecorder(500, clock::nanos);
        private final FakeServer server;
        private final Optional<FakeServer> partner;
        private double cpu;

        Watch(FakeServer server, Optional<FakeServer> partner) {
            this.server = server;
            this.partner = partner;
        }

        @Override
        public void begin() {
            cpu = server.cpuSeconds;
        }

        @Override
        public void measure() {
            measuringBegins();
            begin();
        }

        @Override
        public void measuringBegins() {
            measured.add(server);
            if (!recorder.isMeasuring()) {
                recorder.measuringBegins();
            }
        }

        @Override
        public void gap() {
            recorder.gap();
        }

        @Override
        public void sample() {
            recorder.value(Signals.HOST_FOREIGN, server.foreign);
        }

        @Override
        public void window(Window w) {
            double seconds = (w.endNanos() - w.startNanos()) / 1e9;
            if (seconds > 0) {
                recorder.span(Signals.LOAD_RATE, w.startNanos(), w.endNanos(), w.responses() / seconds);
            }
        }

        @Override
        public void last() {
            // nothing is read seldom
        }

        @Override
        public Aggregates end() {
            measured.remove(server);
            Aggregates seen = Aggregates.NOTHING;
            for (Aggregate none : List.of(
                    Aggregate.COMPILER_CPU_SECONDS,
                    Aggregate.STEAL,
                    Aggregate.SERVER_STEAL,
                    Aggregate.GENERATOR_STEAL,
                    Aggregate.LISTEN_OVERFLOWS,
                    Aggregate.SYN_RETRANSMITS,
                    Aggregate.ACCEPT_QUEUE_DROPS)) {
                seen = seen.with(none, 0);
            }
            return seen.with(Aggregate.SERVER_CPU_SECONDS, server.cpuSeconds - cpu)
                    .with(Aggregate.FOREIGN_CPU, server.foreign);
        }

        @Override
        public OptionalFigure partnerCpuSeconds() {
            return OptionalFigure.from(partner, p -> OptionalFigure.of(p.cpuSeconds));
        }

        @Override
        public Map<String, Double> latest() {
            return recorder.takeLatest();
        }

        @Override
        public List<Sighting> sightings() {
            return List.of(new Sighting(Sighting.FOREIGN, "other processes", server.foreign));
        }

        @Override
        public void close() {
            // no dump is under way
        }

        @Override
        public Timeline timeline() {
            return recorder.timeline();
        }

        @Override
        public List<String> notes() {
            return List.of();
        }
    }
}
