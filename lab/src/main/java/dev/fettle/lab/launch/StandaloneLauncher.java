package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Child;
import dev.fettle.lab.process.CrashOutput;
import dev.fettle.lab.process.GivenSecrets;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.lab.target.ServerAgent;
import dev.fettle.load.api.Tls;
import dev.fettle.load.transport.tls.TlsSetup;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Launches a server's distribution with a private copy of its configuration and waits until it serves: an open port does not
 * mean that the applications are deployed.
 */
public final class StandaloneLauncher {
    /** A request that no application sees. */
    private static final byte[] KNOCK =
            "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final LabEnvironment env;
    private final ProgramLauncher launching;
    private final Artifacts artifacts;
    private final BaseChange change;

    /** A change to a private base before the server is started. */
    interface BaseChange {
        void in(Path base) throws TrialFailure;
    }

    public StandaloneLauncher(LabEnvironment env, ProgramLauncher launching, Artifacts artifacts) {
        this(env, launching, artifacts, base -> {});
    }

    StandaloneLauncher(LabEnvironment env, ProgramLauncher launching, Artifacts artifacts, BaseChange change) {
        this.change = change;
        this.env = env;
        this.launching = launching;
        this.artifacts = artifacts;
    }

    /** Launches the server; it serves whatever it could deploy. */
    public RunningTarget launch(Target.Standalone target, Setting setting, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        return launch(target, setting, Optional.empty(), folder);
    }

    /** Launches the server, over TLS if it gets a key. */
    RunningTarget launch(Target.Standalone target, Setting setting, Optional<ServerKey> key, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        return launch(target, setting, key, folder, Ports.freePort());
    }

    RunningTarget launch(Target.Standalone target, Setting setting, Optional<ServerKey> key, Path folder, int port)
            throws TrialFailure, LabException, InterruptedException {
        Distribution distribution = Distribution.of(target, artifacts);
        Path java = env.jdks().java(target.jvm().java());
        checkJava(distribution, java, setting);
        Optional<WebApp> app = webApp(target, distribution);
        var agent = new ServerAgent(env);
        var wanted = new PrivateServer(distribution, target, setting, folder, port, key, java, agent.flags(folder));
        PreparedServer prepared = DistributedServer.of(target.server()).prepare(wanted, app);
        GivenSecrets secrets = prepared.secrets();
        RunningTarget running = null;
        boolean serves = false;
        try {
            change.in(wanted.base());
            running = launching.listening(
                    prepared.command(), prepared.environment(), prepared.properties(), folder, port, setting);
            running.owns(prepared::clear);
            running.fact("server", target.server().title());
            running.fact("serverVersion", distribution.version());
            prepared.facts().forEach(running::fact);
            prepared.notes().forEach(running::note);
            awaitService(running, port, knock(key));
            checkDeployed(target, running, prepared.log().problem(secrets));
            agent.describe(running, target.server(), setting, folder);
            serves = true;
            return running;
        } catch (TrialFailure e) {
            Optional<TrialFailure> noLibrary = noOpenSsl(e, setting);
            if (noLibrary.isPresent()) {
                throw noLibrary.get();
            }
            throw running == null ? because(e, prepared.log().problem(secrets)) : e;
        } finally {
            if (!serves) {
                close(running, prepared);
            }
        }
    }

    /** Checks the JDK: one that is too old ends the run, unless this trial's setting chose it. */
    private static void checkJava(Distribution distribution, Path java, Setting setting)
            throws LabException, TrialFailure {
        Optional<Integer> release = Jdks.releaseOf(java);
        if (release.isPresent() && release.get() < distribution.oldestJava()) {
            String problem = "%s needs Java %d or newer; %s is Java %d"
                    .formatted(distribution.title(), distribution.oldestJava(), java, release.get());
            if (setting.get(Target.Jvm.JDK).isPresent()) {
                throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, problem);
            }
            throw new LabException(problem);
        }
    }

    /** Checks the WAR before anything is launched. */
    private static Optional<WebApp> webApp(Target.Standalone target, Distribution distribution) throws LabException {
        if (target.war().filter(w -> !w.equals(Target.Standalone.EXAMPLES)).isEmpty()) {
            return Optional.empty();
        }
        WebApp app = WebApp.of(Path.of(target.war().get()));
        DistributedServer.of(target.server()).check(app, distribution);
        return Optional.of(app);
    }

    /** Waits for the first answer, of any kind: by then every application was deployed or has failed to. */
    private static void awaitService(RunningTarget running, int port, Optional<SSLContext> tls)
            throws TrialFailure, InterruptedException {
        Child child = running.process().orElseThrow();
        while (!answers(running.address(), tls)) {
            if (!child.alive()) {
                throw new TrialFailure(Kind.DID_NOT_START, new CrashOutput(child).ended("target", "before it served"));
            }
            if (child.overdue()) {
                throw new TrialFailure(
                        Kind.NEVER_READY,
                        "no answer on port " + port + " within " + child.age().toSeconds() + " s: " + child.tail(4));
            }
            Thread.sleep(50);
        }
    }

    /** The TLS context for knocking at a server that has a key. */
    private static Optional<SSLContext> knock(Optional<ServerKey> key) {
        return key.map(
                k -> TlsSetup.context(new Tls(Optional.of(k.certificate().toString()), false, false), "127.0.0.1"));
    }

    private static boolean answers(InetSocketAddress address, Optional<SSLContext> tls) {
        try (Socket plain = new Socket()) {
            plain.connect(address, 1000);
            plain.setSoTimeout(2000); // then check whether the server is still alive
            try (Socket socket = tls.isEmpty()
                    ? plain
                    : tls.get().getSocketFactory().createSocket(plain, "127.0.0.1", address.getPort(), true)) {
                socket.getOutputStream().write(KNOCK);
                return socket.getInputStream().read() >= 0;
            }
        } catch (IOException e) {
            return false;
        }
    }

    private static void checkDeployed(Target.Standalone target, RunningTarget running, Optional<String> problem)
            throws TrialFailure {
        if (problem.isPresent() && target.war().isPresent()) {
            throw new TrialFailure(Kind.DID_NOT_START, notDeployed(problem.get()));
        }
        problem.ifPresent(p -> running.note("a web application of the base did not deploy: " + p));
    }

    private static String notDeployed(String problem) {
        return "the web application did not deploy: " + problem;
    }

    /** A host without OpenSSL says so in terms of the foreign-function API. */
    private static Optional<TrialFailure> noOpenSsl(TrialFailure e, Setting setting) {
        String said = e.asFailure().message();
        boolean missing = setting.get("tls.engine").filter("openssl"::equals).isPresent()
                && (said.contains("UnsatisfiedLinkError") || said.contains("Cannot open library"));
        return missing
                ? Optional.of(new TrialFailure(
                        Kind.IMPOSSIBLE_SETTING,
                        "tls.engine=openssl: this host has no libssl that Tomcat could load: it needs libssl.so"
                                + " (Debian: libssl-dev); "
                                + said.substring(Math.max(0, said.lastIndexOf("java.lang.")))))
                : Optional.empty();
    }

    /** Adds the application's failure, if that ended the server. */
    private static TrialFailure because(TrialFailure e, Optional<String> problem) {
        return e.asFailure().kind() == Kind.DID_NOT_START
                ? problem.map(p -> new TrialFailure(Kind.DID_NOT_START, notDeployed(p)))
                        .orElse(e)
                : e;
    }

    private static void close(@Nullable RunningTarget running, PreparedServer prepared) {
        if (running != null) {
            running.close();
            return;
        }
        try {
            prepared.clear();
        } catch (IOException e) {
            return; // the trial's folder keeps a few files too many
        }
    }
}
