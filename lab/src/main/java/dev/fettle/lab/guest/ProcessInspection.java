package dev.fettle.lab.guest;

import dev.fettle.lab.machine.DirectHttp;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Guest;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.watch.host.ListenOwner;
import dev.fettle.watch.jvm.RunningJvm;
import dev.fettle.watch.jvm.ServerBeans;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Inspects a running process before it is loaded: its owner, the URL to load, and its effective values.
 *
 * @param note receives what the user should know at once
 */
public record ProcessInspection(LabEnvironment env, Consumer<String> note) {
    private static final Duration ANSWER = Duration.ofSeconds(2);

    /** The status with which a TLS port answers plain HTTP. */
    private static final int BAD_REQUEST = 400;

    /**
     * Inspects a process.
     *
     * @param asked a process; if it was inspected before, it must still be the same one
     * @return a copy with its URL and what was found
     * @throws LabException if this user has no such process, or nothing in it can be loaded
     */
    public Target.Running at(Target.Running asked) throws LabException, InterruptedException {
        long started = started(asked);
        ValueRestore.putBack(new Debts(env.state(), env.proc()), new Guest(env.proc(), asked.pid(), started), note);
        SortedSet<Integer> ports = new ListenOwner().ports(asked.pid());
        Optional<RunningJvm> jvm = jvm(asked);
        Set<String> settable = Set.of();
        Setting inForce = Setting.DEFAULT;
        URI url;
        try {
            url = url(asked, ports, jvm);
            int port = HostGuard.check(url, env.ownHosts()).getPort();
            Optional<ServerBeans> beans = beans(jvm, port);
            if (beans.isPresent()) {
                settable = jvm.orElseThrow().ask(ValueRestore.CALL_BOUND, beans.get()::settable);
                for (var e : jvm.get()
                        .ask(ValueRestore.CALL_BOUND, beans.get()::read)
                        .entrySet()) {
                    inForce = settable.contains(e.getKey()) ? inForce.with(e.getKey(), e.getValue()) : inForce;
                }
            }
        } catch (IOException e) {
            ValueRestore.checkInterrupted();
            throw new LabException("cannot read the settings of " + asked.label() + ": " + e.getMessage(), e);
        } finally {
            jvm.ifPresent(RunningJvm::close);
        }
        var first = new Target.Found(started, Optional.empty(), Setting.DEFAULT, Set.of());
        try (RunningTarget seen = new ProcessVisit(env, note).visit(asked.with(url, first), Setting.DEFAULT)) {
            Optional<ServerKind> server =
                    Optional.ofNullable(seen.facts().get("server")).flatMap(ServerKind::of);
            seen.notes().forEach(note);
            return asked.with(
                    url,
                    new Target.Found(
                            started, server, Setting.of(seen.effective()).with(inForce), settable));
        } catch (TrialFailure e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
    }

    private long started(Target.Running asked) throws LabException {
        String pid = Long.toString(asked.pid());
        OptionalLong started = env.proc().startTicks(asked.pid());
        if (started.isEmpty() || !env.proc().runs(asked.pid(), started.getAsLong())) {
            throw new LabException("there is no process " + pid);
        }
        Optional<String> thread = env.proc().isAThread(asked.pid());
        if (thread.isPresent()) {
            throw new LabException(thread.get());
        }
        if (asked.pid() == ProcessHandle.current().pid()) {
            throw new LabException("process " + pid + " is Fettle itself");
        }
        Optional<String> another = env.proc().isAnothers(asked.pid());
        if (another.isPresent()) {
            throw new LabException(another.get());
        }
        if (asked.found().isPresent() && asked.found().get().started() != started.getAsLong()) {
            throw new LabException(
                    "process " + pid + " is not the one that the run began with, which has ended: trials on"
                            + " two processes can't be mixed; start a new run");
        }
        return started.getAsLong();
    }

    private static Optional<ServerBeans> beans(Optional<RunningJvm> jvm, int port) throws IOException {
        return jvm.isPresent()
                ? jvm.get().ask(ValueRestore.CALL_BOUND, () -> ServerBeans.of(jvm.get(), port))
                : Optional.empty();
    }

    private static Optional<RunningJvm> jvm(Target.Running asked) throws LabException, InterruptedException {
        try {
            return Optional.of(RunningJvm.attach(asked.pid()));
        } catch (IOException e) {
            ValueRestore.checkInterrupted();
            if (asked.live() || asked.agent()) {
                throw new LabException("nothing can be set or loaded in " + asked.label() + ": " + e.getMessage(), e);
            }
            return Optional.empty(); // it can be watched from outside; the visit notes why
        }
    }

    private URI url(Target.Running asked, SortedSet<Integer> ports, Optional<RunningJvm> jvm)
            throws IOException, LabException, InterruptedException {
        String process = asked.label();
        if (ports.isEmpty()) {
            throw new LabException(process + " listens on no TCP port");
        }
        if (asked.url().isPresent()) {
            URI url = asked.url().get();
            InetSocketAddress address = HostGuard.check(url, env.ownHosts());
            int port = address.getPort();
            if (!new ListenOwner().takes(asked.pid(), address)) {
                throw new LabException(
                        process + " does not listen on port " + port + " of " + url.getHost() + " but of "
                                + new ListenOwner()
                                        .addresses(asked.pid(), port).stream()
                                                .map(InetAddress::getHostAddress)
                                                .collect(Collectors.joining(", "))
                                + ": another process would be loaded");
            }
            if (!ports.contains(port)) {
                throw new LabException(process + " does not listen on port " + port + " but on " + list(ports)
                        + ": another process would be loaded");
            }
            return url;
        }
        // probing a port is mostly harmless, but Tomcat's shutdown port would log it: ports from the MBeans come first
        var servers = new ArrayList<Integer>();
        for (int port : ports) {
            if (beans(jvm, port).isPresent()) {
                servers.add(port);
            }
        }
        List<Integer> speaking =
                servers.size() == 1 ? servers : speaking(asked.pid(), servers.isEmpty() ? ports : servers);
        if (speaking.size() == 1) {
            return root(asked.pid(), speaking.getFirst());
        }
        throw new LabException(
                speaking.isEmpty()
                        ? "no port of " + process + " answers HTTP here (it listens on " + list(ports)
                                + "): say where it does, with --url http://127.0.0.1:8080 (in a plan: url; for diagnose: the"
                                + " URL itself)"
                        : process + " answers HTTP on " + list(speaking)
                                + ": say which is meant, with --url " + root(asked.pid(), speaking.getFirst())
                                + " (in a plan: url; for diagnose: the URL itself)");
    }

    private static String list(Iterable<Integer> ports) {
        var all = new ArrayList<Integer>();
        ports.forEach(all::add);
        return (all.size() == 1 ? "port " : "ports ")
                + all.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Where it is asked on a port: at 127.0.0.1, unless it listens on other addresses only. */
    private static URI root(long pid, int port) {
        var owner = new ListenOwner();
        var usual = new InetSocketAddress("127.0.0.1", port);
        InetSocketAddress at = owner.takes(pid, usual)
                ? usual
                : owner.addresses(pid, port).stream()
                        .findFirst()
                        .map(own -> new InetSocketAddress(own, port))
                        .orElse(usual);
        return URI.create(Readiness.plain(at));
    }

    private static List<Integer> speaking(long pid, Iterable<Integer> ports) throws InterruptedException {
        var speaking = new ArrayList<Integer>();
        try (var client = DirectHttp.client(ANSWER).build()) {
            for (int port : ports) {
                try {
                    int status = Readiness.status(client, root(pid, port).resolve("/"), ANSWER);
                    if (status != BAD_REQUEST) {
                        speaking.add(port);
                    }
                } catch (IOException e) {
                    continue; // it speaks something else
                }
            }
            client.shutdownNow();
        }
        return speaking;
    }
}
