package dev.fettle.lab.agents;

import dev.fettle.lab.engine.Loads;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Part;
import dev.fettle.load.SenderState;
import dev.fettle.load.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A load that several agents send, as one. When one of them is lost, the others end: what it should have sent is not sent by them, and
 * counts as unsent.
 */
final class SharedRun implements LoadRun {
    private final Clock clock;
    private final LoadPort.Order order;
    private final List<Sender> senders;
    private final long start;
    private final int threads;
    private boolean ending;
    private long pausedNanos;
    private OptionalLong pausedSince = OptionalLong.empty();

    /** An agent's part. */
    private static final class Sender {
        final AgentLink link;
        final int run;
        final AgentLink.Offset offset;
        final UnsentPart unsent;
        volatile boolean done;
        OptionalLong began = OptionalLong.empty();
        OptionalDouble cpuShare = OptionalDouble.empty();
        Optional<AgentLink.Offset> last = Optional.empty();
        List<String> notes = List.of();
        Optional<String> failure = Optional.empty();
        int connections;

        Sender(AgentLink link, int run, AgentLink.Offset offset, UnsentPart unsent) {
            this.link = link;
            this.run = run;
            this.offset = offset;
            this.unsent = unsent;
        }

        boolean isLost() {
            return link.lost().isPresent();
        }
    }

    SharedRun(
            Clock clock,
            LoadPort.Order order,
            List<AgentLink> links,
            List<Integer> runs,
            List<AgentLink.Offset> offsets,
            long start) {
        this.clock = clock;
        this.order = order;
        this.start = start;
        this.threads = Loads.threads(order.of(new Part(0, links.size(), false))); // of each
        var all = new ArrayList<Sender>();
        for (int i = 0; i < links.size(); i++) {
            all.add(new Sender(links.get(i), runs.get(i), offsets.get(i), new UnsentPart(order, i, links.size())));
        }
        this.senders = List.copyOf(all);
    }

    private interface Question {
        Ask of(Sender sender);
    }

    /** Asks all that are still there at once; an answer is empty where one is not. */
    private <T> List<Optional<T>> ask(Question question, Duration atMost, Class<T> type) {
        List<CompletableFuture<Object>> asked =
                senders.stream().map(s -> s.link.ask(question.of(s), atMost)).toList();
        return asked.stream()
                .map(f -> {
                    try {
                        return Optional.of(AgentLink.answer(f, type));
                    } catch (AgentLink.Lost e) {
                        return Optional.<T>empty();
                    }
                })
                .toList();
    }

    private boolean anyLost() {
        return senders.stream().anyMatch(Sender::isLost);
    }

    @Override
    public synchronized Window takeWindow() {
        List<Optional<Ask.Taken>> taken = ask(s -> new Ask.Take(s.run), Duration.ZERO, Ask.Taken.class);
        var windows = new ArrayList<Window>();
        long now = clock.nanos();
        for (int i = 0; i < senders.size(); i++) {
            Sender s = senders.get(i);
            Optional<Window> own = taken.get(i).map(Ask.Taken::window);
            taken.get(i).filter(t -> t.cpuShare() >= 0).ifPresent(t -> s.cpuShare = OptionalDouble.of(t.cpuShare()));
            Window window = own.orElseGet(() -> s.unsent.since(loadTime(now), now + s.offset.aheadNanos(), threads));
            own.ifPresent(w -> s.unsent.seen(loadTime(w.endNanos() - s.offset.aheadNanos())));
            if (s.began.isEmpty() && own.isPresent()) {
                s.began = OptionalLong.of(window.startNanos() - s.offset.aheadNanos());
            }
            windows.add(window.from(s.link.name(), s.offset.aheadNanos(), i * threads));
        }
        return Window.ofThreads(windows);
    }

    private long loadTime(long now) {
        return (pausedSince.isPresent() ? pausedSince.getAsLong() : now) - start - pausedNanos;
    }

    @Override
    public boolean isDone() {
        return senders.stream().allMatch(s -> s.done || s.isLost());
    }

    @Override
    public boolean awaitDone(Duration max) throws InterruptedException {
        endIfLost();
        List<CompletableFuture<Object>> asked = senders.stream()
                .map(s -> s.done
                        ? CompletableFuture.<Object>completedFuture(true)
                        : s.link.ask(new Ask.AwaitDone(s.run, max), max))
                .toList();
        for (int i = 0; i < senders.size(); i++) {
            try {
                senders.get(i).done = Boolean.TRUE.equals(asked.get(i).get());
            } catch (ExecutionException e) {
                senders.get(i).done = true; // lost: it sends nothing any more
            }
        }
        endIfLost();
        return isDone();
    }

    private synchronized void endIfLost() {
        if (anyLost() && !ending) {
            endIn(Duration.ZERO);
        }
    }

    @Override
    public synchronized void endIn(Duration time) {
        ending = ending || time.isZero();
        ask(s -> new Ask.EndIn(s.run, time), Duration.ZERO, Boolean.class);
    }

    @Override
    public synchronized void pause() {
        if (pausedSince.isEmpty()) {
            pausedSince = OptionalLong.of(clock.nanos());
            ask(s -> new Ask.Pause(s.run), Duration.ZERO, Boolean.class);
        }
    }

    @Override
    public synchronized void resume() {
        if (pausedSince.isPresent()) {
            pausedNanos += clock.nanos() - pausedSince.getAsLong();
            pausedSince = OptionalLong.empty();
            ask(s -> new Ask.Resume(s.run), Duration.ZERO, Boolean.class);
        }
    }

    @Override
    public boolean awaitQuiet(Duration max) throws InterruptedException {
        List<CompletableFuture<Object>> asked = senders.stream()
                .map(s -> s.link.ask(new Ask.AwaitQuiet(s.run, max), max))
                .toList();
        boolean quiet = true;
        for (var one : asked) {
            try {
                quiet &= Boolean.TRUE.equals(one.get());
            } catch (ExecutionException e) {
                // lost: nothing of it is in flight
            }
        }
        return quiet;
    }

    private synchronized void look() {
        List<Optional<Ask.State>> states = ask(s -> new Ask.HowIs(s.run), Duration.ZERO, Ask.State.class);
        for (int i = 0; i < senders.size(); i++) {
            Sender s = senders.get(i);
            s.connections = states.get(i).map(Ask.State::connections).orElse(0);
            states.get(i).ifPresent(state -> {
                s.notes = state.notes();
                s.failure = state.failure();
            });
        }
    }

    @Override
    public synchronized int connectionsOpen() {
        look();
        return senders.stream().mapToInt(s -> s.connections).sum();
    }

    @Override
    public synchronized Optional<String> failure() {
        look();
        return senders.stream()
                .flatMap(s -> s.failure.map(why -> s.link.name() + ": " + why).stream())
                .findFirst();
    }

    @Override
    public synchronized List<String> notes() {
        look();
        return Stream.concat(
                        Stream.of("sent from "
                                + senders.stream().map(s -> s.link.name()).collect(Collectors.joining(", "))),
                        senders.stream().flatMap(s -> s.notes.stream().map(n -> s.link.name() + ": " + n)))
                .toList();
    }

    /** Empty if it is lost, as which it is reported. */
    private static Optional<AgentLink.Offset> offset(AgentLink link) {
        try {
            return Optional.of(link.offset());
        } catch (AgentLink.Lost e) {
            return Optional.empty();
        }
    }

    @Override
    public synchronized List<SenderState> senders() {
        List<Sender> unasked =
                senders.stream().filter(s -> s.last.isEmpty() && !s.isLost()).toList();
        List<Optional<AgentLink.Offset>> offsets =
                Agents.inParallel(unasked.stream().map(s -> s.link).toList(), SharedRun::offset);
        for (int i = 0; i < unasked.size(); i++) {
            unasked.get(i).last = offsets.get(i);
        }
        boolean shared = order.address().getAddress().isLoopbackAddress(); // the target has the same CPUs
        return senders.stream()
                .map(s -> new SenderState(
                        s.link.name(),
                        Math.max(0, s.began.orElse(start) - start),
                        Math.max(
                                s.offset.errorNanos(),
                                s.last.map(AgentLink.Offset::errorNanos).orElse(0L)),
                        s.last.map(s.offset::movedUntil).orElse(0L),
                        shared ? OptionalDouble.empty() : s.cpuShare,
                        s.link.lost().orElse("")))
                .toList();
    }

    @Override
    public void close() {
        try {
            ask(s -> new Ask.Close(s.run), Duration.ZERO, Boolean.class);
        } catch (CompletionException | IllegalStateException e) {
            // it was closed before
        }
    }
}
