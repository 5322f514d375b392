package dev.fettle.lab.fake;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.port.LiveSettings;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A {@link FakeServer} that is up. */
final class FakeTarget implements TargetHandle {
    private final FakeLab lab;
    private final Optional<TrialSpec> spec;
    private final FakeServer server;
    private final int number;
    private final Map<String, String> effective = new TreeMap<>();
    private final Map<String, String> facts = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private boolean closed;

    FakeTarget(FakeLab lab, Optional<TrialSpec> spec, FakeServer server, int number) {
        this.lab = lab;
        this.spec = spec;
        this.server = server;
        this.number = number;
        spec.ifPresent(s -> s.setting().values().forEach(server.values::put));
        spec.flatMap(s -> s.setting().get("threads.max")).ifPresent(n -> server.threads = Integer.parseInt(n));
    }

    FakeServer server() {
        return server;
    }

    @Override
    public About about() {
        boolean url = spec.filter(s -> s.target() instanceof Target.Url).isPresent();
        return new About(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 10_000 + number),
                1_000_000_000L + number,
                url ? Origin.URL : Origin.LAUNCHED,
                1000,
                url ? Set.of() : Set.of(0));
    }

    @Override
    public List<Long> processes() {
        return List.of(about().pid());
    }

    @Override
    public Load over(Load load) {
        return load;
    }

    @Override
    public void awaitReady(Load load) throws TrialFailure, InterruptedException {
        server.step(Phase.READY);
        lab.clock()
                .sleep(
                        switch (server.mode) {
                            case ANSWERS, DEAD -> Duration.ofMillis(100);
                            case WRONG -> Duration.ofSeconds(3);
                            case SILENT, REFUSES, NOT_ASKED -> Duration.ofSeconds(30);
                        });
        switch (server.mode) {
            case DEAD -> throw new TrialFailure(Kind.DID_NOT_START, ended("before it gave the right answer"));
            case WRONG -> throw new TrialFailure(Kind.WRONG_ANSWER, "status 500 instead of 200");
            case SILENT, REFUSES, NOT_ASKED -> throw new TrialFailure(Kind.NEVER_READY, "no answer for 30 s");
            case ANSWERS -> {
                // ready
            }
        }
    }

    @Override
    public OptionalInt readBack(TrialSpec asked) throws TrialFailure, InterruptedException {
        server.step(Phase.READ_BACK);
        lab.clock().sleep(Duration.ofMillis(200));
        effective.putAll(server.values);
        compare(asked.setting());
        return OptionalInt.of(100);
    }

    private void compare(Setting setting) throws TrialFailure {
        for (var e : setting.values().entrySet()) {
            String got = server.values.getOrDefault(e.getKey(), "");
            if (!got.equals(e.getValue())) {
                throw TrialFailure.notEffective(
                        e.getKey(), e.getKey() + " was set to " + e.getValue() + ", but the running target has " + got);
            }
        }
    }

    @Override
    public void observe(TrialSpec observed, Path folder) {
        // nothing is recorded
    }

    @Override
    public void measuringBegins() {
        // nothing is recorded
    }

    @Override
    public Evidence recorded(Evidence seen) {
        return server.recorded ? seen.noted(List.of("recorded")) : seen;
    }

    @Override
    public WatchPort watch(WatchPort.Order order) {
        return lab.watch(
                server, order.partner().isPresent() ? lab.of(order.partner().getAsLong()) : Optional.empty());
    }

    @Override
    public void keepCompilersOn(Set<Integer> cpus) {
        // it has none
    }

    @Override
    public boolean alive() {
        return server.isUp();
    }

    @Override
    public String ended(String when) {
        return "the target exited with code " + server.exitCode + " " + when;
    }

    @Override
    public void check() throws TrialFailure {
        if (!server.isUp()) {
            throw new TrialFailure(server.lastWords.isPresent() ? Kind.OUT_OF_MEMORY : Kind.DIED, ended("under load"));
        }
    }

    @Override
    public void words() throws TrialFailure {
        if (server.lastWords.isPresent()) {
            throw new TrialFailure(Kind.OUT_OF_MEMORY, "the target threw: " + server.lastWords.get());
        }
    }

    @Override
    public Optional<LiveSettings> live() {
        return Optional.of(new Live());
    }

    private final class Live implements LiveSettings {
        @Override
        public Set<String> live() {
            return Set.of("threads.max", "threads.min", "connections.max");
        }

        private void asked() throws IOException {
            if (!server.isUp() || server.deaf.isPresent()) {
                throw new IOException(server.deaf.orElse("the process has ended"));
            }
        }

        @Override
        public Map<String, String> values() throws IOException {
            asked();
            return Map.copyOf(server.values);
        }

        @Override
        public void set(String knob, String value) throws IOException {
            server.step(Phase.SET);
            asked();
            if (server.ignores) {
                return;
            }
            server.values.put(knob, value);
            if (knob.equals("threads.max")) {
                server.threads = Integer.parseInt(value);
                server.grown = server.keepsThreads ? server.grown : Math.min(server.grown, server.threads);
            }
        }

        @Override
        public OptionalFigure workers() throws IOException {
            asked();
            return OptionalFigure.of(server.grown);
        }
    }

    @Override
    public void confirm(Setting setting) throws TrialFailure {
        if (server.deaf.isPresent()) {
            throw new TrialFailure(Kind.NOT_EFFECTIVE, server.deaf.get());
        }
        effective.putAll(server.values);
        compare(setting);
    }

    @Override
    public Map<String, String> effective() {
        return effective;
    }

    @Override
    public Map<String, String> facts() {
        return facts;
    }

    @Override
    public void fact(String name, String value) {
        facts.put(name, value);
    }

    @Override
    public List<String> notes() {
        return notes;
    }

    @Override
    public void note(String text) {
        notes.add(text);
    }

    @Override
    public void keepNotes(int first) {
        notes.subList(Math.min(first, notes.size()), notes.size()).clear();
    }

    @Override
    public OptionalLong peakMemory() {
        return OptionalLong.of(64L << 20);
    }

    @Override
    public boolean killed() {
        return server.wasKilled;
    }

    @Override
    public long logsLeftOut() {
        return closed ? server.logsLeftOut : 0;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            server.step(Phase.STOP);
            lab.clock().pass(Duration.ofMillis(500));
            lab.ended(this);
        }
    }
}
