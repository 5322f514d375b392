package dev.fettle.lab.fake;

import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.EngineThreadUse;
import dev.fettle.load.ErrorCount;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** A load on a {@link FakeServer}: clients or arrivals in numbers, not one by one. */
final class FakeLoad implements LoadRun {
    private final FakeLab lab;
    private final FakeServer server;
    private final LoadPort.Order order;
    private final long begin;
    private long end;
    private long taken;
    private long pausedAt = -1;
    private boolean closed;

    private double answered;
    private double failing;
    private double due;
    private long responses;
    private long failed;
    private long dues;
    private double busy;
    private Histogram latency = Window.growing();
    private Histogram lag = Window.growing();
    private final Map<ErrorKind, Long> errors = new EnumMap<>(ErrorKind.class);
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private boolean leftOver;

    FakeLoad(FakeLab lab, FakeServer server, LoadPort.Order order) {
        this.lab = lab;
        this.server = server;
        this.order = order;
        this.begin = now();
        this.taken = begin;
        this.end = begin + order.atMost().toNanos();
        backlogFades();
    }

    private long now() {
        return lab.clock().nanos();
    }

    private boolean open() {
        return order.load().arrivals() instanceof Arrivals.Open;
    }

    /** What waited in it when the load before ended has been worked off since, as far as there was time. */
    private void backlogFades() {
        double seconds = now() / 1e9 - server.backlogAt;
        server.backlog = Math.max(0, server.backlog - seconds * server.most());
        server.backlogAt = now() / 1e9;
    }

    private Phase phase() {
        if (open()) {
            return Phase.PROBE;
        }
        if (order.load().connections() == 1) {
            return Phase.LOOK;
        }
        return lab.isMeasured(server) ? Phase.MEASURE : Phase.WARM_UP;
    }

    @Override
    public boolean awaitDone(Duration max) throws InterruptedException {
        if (isDone()) {
            return true;
        }
        server.step(phase());
        if (isDone()) {
            return true;
        }
        Duration step = Duration.ofNanos(Math.max(0, Math.min(max.toNanos(), end - now())));
        lab.clock().sleep(step);
        goOn(step.toNanos() / 1e9);
        return isDone();
    }

    private void goOn(double seconds) {
        if (pausedAt >= 0 || seconds <= 0) {
            return;
        }
        if (open()) {
            due += rate() * seconds;
            dues += (long) due;
        }
        switch (server.mode) {
            case ANSWERS -> answer(seconds);
            case WRONG -> fail(clients() / Math.max(1e-3, server.serviceSeconds) * seconds, ErrorKind.STATUS);
            case REFUSES, DEAD -> fail(10 * clients() * seconds, ErrorKind.REFUSED);
            case NOT_ASKED -> fail(10 * clients() * seconds, ErrorKind.OTHER);
            case SILENT -> {
                server.backlog += open() ? rate() * seconds : 0;
                busy += clients() * seconds;
            }
        }
        due -= (long) due;
        server.backlogAt = now() / 1e9;
    }

    private int clients() {
        return order.load().connections();
    }

    private double rate() {
        double at = (now() - begin) / 1e9;
        var stages = ((Arrivals.Open) order.load().arrivals()).stages();
        for (Arrivals.Stage stage : stages) {
            double length = stage.length().toNanos() / 1e9;
            if (at <= length) {
                return stage.from() + (stage.to() - stage.from()) * Math.max(0, at) / length;
            }
            at -= length;
        }
        return stages.getLast().to();
    }

    private void answer(double seconds) {
        double rate;
        double each;
        if (open()) {
            double before = server.backlog;
            server.backlog = Math.max(0, before + (rate() - server.most()) * seconds);
            rate = rate() - (server.backlog - before) / seconds;
            each = server.serviceSeconds + (before + server.backlog) / 2 / server.most();
        } else {
            double think = ((Arrivals.Closed) order.load().arrivals()).think().toNanos() / 1e9;
            double waiting = server.backlog / server.most();
            server.backlog = Math.max(0, server.backlog - server.most() * seconds);
            rate = Math.min(clients() / (server.serviceSeconds + waiting + think), server.most());
            each = clients() / rate - think;
        }
        answered += rate * seconds;
        long whole = (long) answered;
        answered -= whole;
        if (whole > 0) {
            responses += whole;
            statuses.merge(200, whole, Long::sum);
            latency.recordValueWithCount((long) (each * 1e9), whole);
            if (open()) {
                lag.recordValueWithCount(1000, whole);
            }
        }
        busy += whole * each;
        server.grown = Math.max(server.grown, (int) Math.min(server.threads, Math.ceil(rate * each)));
        server.cpuSeconds += whole * server.serviceSeconds / 10;
    }

    private void fail(double count, ErrorKind kind) {
        failing += count;
        long whole = (long) failing;
        failing -= whole;
        if (whole > 0) {
            failed += whole;
            errors.merge(kind, whole, Long::sum);
            if (kind == ErrorKind.STATUS) {
                statuses.merge(500, whole, Long::sum);
            }
        }
    }

    @Override
    public Window takeWindow() {
        var counted = new EnumMap<ErrorKind, ErrorCount>(ErrorKind.class);
        errors.forEach((kind, n) -> counted.put(kind, new ErrorCount(n, "as the script says")));
        boolean over = isDone() && !leftOver && open();
        leftOver |= over;
        long left = over ? (long) server.backlog : 0;
        long wall = now() - taken;
        var window = new Window(
                taken,
                now(),
                responses,
                failed,
                Math.min(left, clients()),
                counted,
                statuses,
                responses * 100,
                responses * 50,
                latency,
                Window.growing(),
                Window.growing(),
                latency,
                Window.growing(),
                lag,
                Window.growing(),
                dues,
                0,
                Math.max(0, left - clients()),
                List.of(),
                (long) (busy * 1e9),
                0,
                List.of(new EngineThreadUse(0, wall / 20, 0, wall)),
                Duration.ZERO,
                0,
                List.of(),
                List.of());
        taken = now();
        responses = 0;
        failed = 0;
        dues = 0;
        busy = 0;
        latency = Window.growing();
        lag = Window.growing();
        errors.clear();
        statuses.clear();
        return window;
    }

    @Override
    public boolean isDone() {
        return closed || pausedAt < 0 && now() >= end;
    }

    @Override
    public void endIn(Duration time) {
        end = Math.min(end, now() + time.toNanos());
    }

    @Override
    public void pause() {
        pausedAt = pausedAt < 0 ? now() : pausedAt;
    }

    @Override
    public void resume() {
        if (pausedAt >= 0) {
            end += now() - pausedAt;
            pausedAt = -1;
        }
    }

    @Override
    public boolean awaitQuiet(Duration max) throws InterruptedException {
        server.step(Phase.REST);
        boolean hangs = server.mode == FakeServer.Mode.SILENT;
        lab.clock().sleep(hangs ? max : Duration.ofNanos((long) (server.serviceSeconds * 1e9)));
        return !hangs;
    }

    @Override
    public int connectionsOpen() {
        return switch (server.mode) {
            case ANSWERS, SILENT, WRONG -> clients();
            case REFUSES, NOT_ASKED, DEAD -> 0;
        };
    }

    @Override
    public Optional<String> failure() {
        return server.generatorFails;
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    @Override
    public void close() {
        closed = true;
        lab.over(this);
    }
}
