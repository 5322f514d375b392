package dev.fettle.lab.agents;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.OtherSenders;
import dev.fettle.lab.measure.WarmUp;
import dev.fettle.lab.measure.Warmed;
import dev.fettle.lab.remote.HostPack;
import dev.fettle.lab.remote.RemoteCommand;
import dev.fettle.lab.remote.RemoteTalk;
import dev.fettle.lab.remote.Ssh;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Agents that send loads together: each a part. They begin at an agreed instant; what they saw comes as one. */
public final class Agents implements OtherSenders, AutoCloseable {
    /** The command that is an agent, on its host. */
    public static final String COMMAND = "agent";

    /** All agents must have their order by then. */
    private static final Duration AHEAD = Duration.ofMillis(150);

    /** And as many round trips as that. */
    private static final int ROUND_TRIPS_AHEAD = 4;

    private final Clock clock;
    private final List<Connecting> hosts;
    private final List<AgentLink> links;

    private Agents(Clock clock, List<Connecting> hosts, List<AgentLink> links) {
        this.clock = clock;
        this.hosts = List.copyOf(hosts);
        this.links = new ArrayList<>(links);
    }

    /** Starts an agent on a host. */
    @FunctionalInterface
    public interface Connecting {
        /** @throws LabException if that can't be done; the message says why */
        AgentLink connect() throws LabException, InterruptedException;
    }

    /**
     * Starts an agent on each host, over ssh.
     *
     * @param hosts how each is reached, at least one
     * @param note takes what is said of the way there
     * @throws LabException if one can't be reached or lacks something; then none is left
     */
    public static Agents start(List<Ssh> hosts, HostPack pack, Clock clock, Consumer<String> note)
            throws LabException, InterruptedException {
        return start(
                clock,
                hosts.stream()
                        .<Connecting>map(h -> () -> connect(h, pack, clock, note))
                        .toList());
    }

    /**
     * Starts all, at the same time. One that is lost later is started again before the next load.
     *
     * @param hosts at least one
     * @throws LabException if one can't be started; then none is left
     */
    public static Agents start(Clock clock, List<Connecting> hosts) throws LabException, InterruptedException {
        var links = new ArrayList<AgentLink>();
        try (var all = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<AgentLink>> starting =
                    hosts.stream().map(h -> all.submit(h::connect)).toList();
            var failed = new ArrayList<Throwable>();
            for (var one : starting) {
                try {
                    links.add(one.get());
                } catch (ExecutionException e) {
                    failed.add(e.getCause());
                } catch (InterruptedException e) {
                    for (var s : starting) {
                        s.cancel(true);
                        if (s.state() == Future.State.SUCCESS) {
                            s.resultNow().close();
                        }
                    }
                    throw e;
                }
            }
            if (!failed.isEmpty()) {
                links.forEach(AgentLink::close);
                throw failed.getFirst() instanceof LabException e
                        ? e
                        : new LabException(String.valueOf(failed.getFirst().getMessage()), failed.getFirst());
            }
        }
        return new Agents(clock, hosts, links);
    }

    private static AgentLink connect(Ssh ssh, HostPack pack, Clock clock, Consumer<String> note)
            throws LabException, InterruptedException {
        RemoteTalk talk = RemoteTalk.open(ssh, pack, new RemoteCommand().add(COMMAND), note);
        return new AgentLink(ssh.to().text(), clock, talk.in(), talk.out(), talk::said, talk::close);
    }

    /** The hosts, as the user calls them. */
    public List<String> names() {
        return links.stream().map(AgentLink::name).toList();
    }

    @Override
    public Warmed rehearse(Order order, WarmUp warmUp) {
        again();
        Shipped shipped = Shipped.of(order);
        try {
            List<Warmed> all = each(
                    IntStream.range(0, links.size())
                            .mapToObj(i -> links.get(i)
                                    .ask(
                                            new Ask.Rehearse(part(shipped, i, links.size(), false), warmUp),
                                            warmUp.atMost()))
                            .toList(),
                    Warmed.class);
            return new Warmed(
                    all.stream().map(Warmed::time).max(Duration::compareTo).orElseThrow(),
                    all.stream().anyMatch(Warmed::interrupted),
                    all.stream().allMatch(Warmed::calm));
        } catch (AgentLink.Lost e) {
            throw new UncheckedIOException(why(), new IOException(e));
        }
    }

    /** Whether one of the hosts has been lost; it is there again before the next load. */
    public boolean isAnyLost() {
        return links.stream().anyMatch(l -> l.lost().isPresent());
    }

    @Override
    public long compiledNanos() {
        return links.stream()
                .map(l -> l.ask(new Ask.Compiled(), Duration.ZERO).exceptionally(_ -> 0L))
                .toList()
                .stream()
                .mapToLong(f -> AgentLink.answer(f, Long.class))
                .max()
                .orElse(0);
    }

    /** A host that was lost is there again before the next load, or there is none. */
    private void again() {
        for (int i = 0; i < links.size(); i++) {
            AgentLink link = links.get(i);
            if (link.lost().isPresent()) {
                link.close();
                try {
                    links.set(i, hosts.get(i).connect());
                } catch (LabException e) {
                    throw new UncheckedIOException(String.valueOf(e.getMessage()), new IOException(e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new UncheckedIOException("stopped", new IOException(e));
                }
            }
        }
    }

    @Override
    public LoadRun start(Order order) {
        again();
        Shipped shipped = Shipped.of(order);
        // a load of a single connection, as one that finds out how a target begins, is one host's
        List<AgentLink> senders =
                links.subList(0, Math.min(links.size(), order.load().connections()));
        try {
            List<Integer> runs = each(
                    IntStream.range(0, senders.size())
                            .mapToObj(i -> senders.get(i)
                                    .ask(new Ask.Prepare(part(shipped, i, senders.size(), true)), Duration.ZERO))
                            .toList(),
                    Integer.class);
            List<AgentLink.Offset> offsets = inParallel(senders, AgentLink::offset);
            long slowest = offsets.stream()
                    .mapToLong(AgentLink.Offset::errorNanos)
                    .max()
                    .orElse(0);
            long start = clock.nanos() + AHEAD.toNanos() + 2 * ROUND_TRIPS_AHEAD * slowest;
            each(
                    IntStream.range(0, senders.size())
                            .mapToObj(i -> senders.get(i)
                                    .ask(
                                            new Ask.Begin(
                                                    runs.get(i),
                                                    start + offsets.get(i).aheadNanos()),
                                            Duration.ZERO))
                            .toList(),
                    Boolean.class);
            return new SharedRun(clock, order, List.copyOf(senders), runs, offsets, start);
        } catch (AgentLink.Lost e) {
            throw new UncheckedIOException(why(), new IOException(e));
        }
    }

    private String why() {
        return links.stream()
                .filter(l -> l.lost().isPresent())
                .map(l -> l.name() + " was lost: " + l.lost().orElseThrow())
                .findFirst()
                .orElse("a host was lost");
    }

    private Shipped part(Shipped all, int index, int of, boolean waits) {
        Order order = all.order();
        return new Shipped(
                new Order(
                        order.load(),
                        order.address(),
                        order.requests(),
                        order.atMost(),
                        order.drain(),
                        Set.of(), // CPUs of this machine
                        new Part(index, of, waits)),
                all.files());
    }

    /**
     * All answers; the first that failed, after all have come.
     *
     * @throws UncheckedIOException if it is interrupted before
     */
    static <T> List<T> each(List<CompletableFuture<Object>> asked, Class<T> type) {
        try {
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).get();
        } catch (ExecutionException e) {
            // thrown again below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException("stopped", new IOException(e));
        }
        return asked.stream().map(f -> AgentLink.answer(f, type)).toList();
    }

    /** What each gives, all at the same time. */
    static <T> List<T> inParallel(List<AgentLink> links, Function<AgentLink, T> what) {
        return links.stream()
                .map(l -> CompletableFuture.supplyAsync(() -> what.apply(l), Thread::startVirtualThread))
                .toList()
                .stream()
                .map(f -> {
                    try {
                        return f.join();
                    } catch (CompletionException e) {
                        throw e.getCause() instanceof RuntimeException known ? known : e;
                    }
                })
                .toList();
    }

    @Override
    public void close() {
        inParallel(links, l -> {
            l.close();
            return true;
        });
    }
}
