package dev.fettle.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.Probing;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trials on real servers that were up before, in processes of their own. */
@Timeout(300)
class ProcessVisitTest extends StandingServers {
    private static final Setting FEW = Setting.of("threads.max", "6");

    private TrialOutcome trial(Target target, Setting setting, String contains, LabListener listener) throws Exception {
        return trial(target, setting, Fixtures.patient(4, contains), listener);
    }

    private TrialOutcome trial(Target target, Setting setting, Load load, LabListener listener) throws Exception {
        return Fixtures.runner(env(), folder, listener).run(1, Fixtures.spec(target, setting, load), listener);
    }

    /** Long enough for a look at the workers to be answered. */
    private static Load watched() {
        return Fixtures.patient(4, "Hello World", Duration.ofSeconds(2));
    }

    /** Does something once the measuring has begun. */
    private LabListener measuring(Act act) {
        return new LabListener() {
            private boolean done;

            @Override
            public void trialGoesOn(Progress p) {
                if (p.stage() == TrialStage.MEASURE && !done) {
                    done = true;
                    try {
                        act.act();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            }

            @Override
            public void note(String message) {
                told.add(message);
            }
        };
    }

    private interface Act {
        void act() throws Exception;
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void aPoolIsResizedLiveForATrialAndPutBack(ServerKind kind) throws Exception {
        RunningTarget server = standing(kind);
        Map<String, String> before = values(server);
        Target.Running target = look(running(server, true, false));
        assertThat(target.url())
                .hasValue(URI.create("http://127.0.0.1:" + server.address().getPort()));
        assertThat(target.knownServer()).hasValue(kind);
        assertThat(target.found().orElseThrow().settable()).contains("threads.max", "threads.min");
        assertThat(target.configured().get("threads.max")).hasValue(before.get("threads.max"));

        var during = new TreeMap<String, String>();
        TrialOutcome o =
                Fixtures.observed(() -> trial(target, FEW, watched(), measuring(() -> during.putAll(values(server)))));

        assertThat(during).containsEntry("threads.max", "6").containsEntry("threads.min", "6");
        var evidence = o.evidence().orElseThrow();
        assertThat(evidence.effective()).containsEntry("threads.max", "6").containsKey("jvm.gc");
        assertThat(evidence.get(Aggregate.SERVER_CPU_SECONDS).orElseThrow()).isPositive();
        assertThat(evidence.facts())
                .containsEntry("pid", Long.toString(server.pid()))
                .containsEntry("server", kind.id())
                .containsKeys("command", "javaVersion");
        assertThat(evidence.notes()).contains("threads.min went down to 6 with threads.max");
        assertThat(values(server)).isEqualTo(before);
        assertThat(server.alive()).isTrue();
        assertThat(told).noneMatch(t -> t.contains("NOT PUT BACK"));
    }

    @Test
    void withoutLiveItIsMeasuredAndNothingIsWritten() throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        Target.Running target = look(running(server, false, false));
        TrialOutcome refused = trial(target, FEW, "Hello World", measuring(() -> {}));
        assertThat(refused.failure().orElseThrow().kind()).isEqualTo(Kind.IMPOSSIBLE_SETTING);
        assertThat(refused.failure().get().message()).contains("only watched");

        TrialOutcome o = trial(
                target,
                Setting.DEFAULT,
                "Hello World",
                measuring(() -> assertThat(values(server)).isEqualTo(before)));
        assertThat(o.failure()).isEmpty();
        assertThat(o.evidence().orElseThrow().effective()).containsEntry("threads.max", before.get("threads.max"));
        assertThat(debts().all()).isEmpty();
    }

    @Test
    void valuesComeBackAfterAFailedTrialAnInterruptAndAKill() throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        Target.Running target = look(running(server, true, false));

        TrialOutcome failed = trial(target, FEW, "what it never says", measuring(() -> {}));
        assertThat(failed.failure().orElseThrow().kind()).isEqualTo(Kind.WRONG_ANSWER);
        assertThat(values(server)).as("after a failed trial").isEqualTo(before);

        Thread self = Thread.currentThread();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> trial(target, FEW, "Hello World", measuring(self::interrupt)));
        assertThat(Thread.interrupted()).isFalse();
        assertThat(values(server)).as("after an interrupt").isEqualTo(before);

        // a Fettle that is killed closes nothing
        RunningTarget cutOff = new ProcessVisit(env(), told::add).visit(target, FEW);
        assertThat(values(server)).containsEntry("threads.max", "6");
        assertThat(ValueRestore.putBack(debts(), OptionalLong.empty()))
                .singleElement()
                .satisfies(p -> assertThat(p.values()).containsEntry("threads.max", before.get("threads.max")))
                .satisfies(p -> assertThat(p.state()).isEqualTo(PutBack.State.DONE));
        assertThat(values(server)).as("after a kill").isEqualTo(before);
        cutOff.close();
        assertThat(values(server)).isEqualTo(before);
    }

    @Test
    void aProcessThatEndsInTheMiddleFailsTheTrialAndThenTheRun() throws Exception {
        try (RunningTarget server = up(ServerKind.TOMCAT)) {
            Target.Running target = look(running(server, true, false));
            TrialOutcome o = trial(target, FEW, "Hello World", measuring(server::close));
            assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.DIED);
            assertThat(o.failure().get().message()).contains("process " + server.pid() + " has ended under load");
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> trial(target, FEW, "Hello World", measuring(() -> {})))
                    .withMessageContaining("process " + server.pid() + " has ended");
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> look(target))
                    .withMessage("there is no process " + server.pid());
            assertThat(ValueRestore.putBack(debts(), OptionalLong.empty()))
                    .as("there is nothing to put back into")
                    .isEmpty();
            assertThat(debts().all()).isEmpty();
        }
    }

    @Tag("long")
    @Test
    void theAgentTellsWhatMBeansDoNot() throws Exception {
        RunningTarget server = standing(ServerKind.JETTY);
        assertThat(look(running(server, false, false)).configured().get("threads.reserved"))
                .isEmpty();
        for (int time = 0; time < 2; time++) { // the second finds the agent there
            Target.Running inside = look(running(server, false, true));
            assertThat(inside.configured().get("threads.max")).hasValue("200");
            assertThat(inside.configured().get("threads.reserved")).isPresent();
        }
        TrialOutcome o = Fixtures.observed(
                () -> trial(look(running(server, false, true)), Setting.DEFAULT, watched(), measuring(() -> {})));
        assertThat(o.evidence().get().facts()).containsKey("serverVersion");
    }

    /** Not a server that Fettle knows: {@code PORT PORT…}, at 127.0.0.1 or at the address in {@code fettle.at}. */
    public static final class Ports {
        public static void main(String[] ports) throws Exception {
            for (String port : ports) {
                var server = HttpServer.create(
                        new InetSocketAddress(System.getProperty("fettle.at", "127.0.0.1"), Integer.parseInt(port)), 9);
                server.createContext("/", exchange -> {
                    exchange.sendResponseHeaders(200, 1);
                    exchange.getResponseBody().write('x');
                    exchange.close();
                });
                server.start();
            }
            new CountDownLatch(1).await();
        }
    }

    private Process java(Object... ports) throws Exception {
        return java("127.0.0.1", ports);
    }

    private Process java(String at, Object... ports) throws Exception {
        Process process = Fixtures.java(
                        List.of("-Xmx64m", "-Dpassword=hunter2", "-Dfettle.at=" + at), Ports.class, ports)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("java.log").toFile())
                .start();
        for (Object port : ports) {
            while (!Readiness.listens(new InetSocketAddress(at, (int) port))) {
                assertThat(process.isAlive()).isTrue();
                Thread.sleep(20);
            }
        }
        return process;
    }

    private String refusal(long pid, Optional<URI> url, boolean live) {
        var asked = new Target.Running(pid, url, live, false, Optional.empty());
        return org.junit.jupiter.api.Assertions.assertThrows(LabException.class, () -> look(asked))
                .getMessage();
    }

    @Test
    void aProcessThatCannotBeLoadedIsSaidWhy() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "600").start();
        int one = dev.fettle.lab.machine.Ports.freePort();
        int two = dev.fettle.lab.machine.Ports.freePort();
        Process java = java(one, two);
        try {
            assertThat(refusal(sleep.pid(), Optional.empty(), false))
                    .isEqualTo("process " + sleep.pid() + " listens on no TCP port");
            assertThat(refusal(sleep.pid(), Optional.empty(), true))
                    .startsWith("nothing can be set or loaded in process " + sleep.pid());
            assertThat(refusal(java.pid(), Optional.empty(), false))
                    .contains(
                            "answers HTTP on ports ",
                            Integer.toString(one),
                            Integer.toString(two),
                            "--url http://127.0.0.1:");
            assertThat(refusal(java.pid(), Optional.of(URI.create("http://127.0.0.1:1")), false))
                    .contains("does not listen on port 1 but on ports ");
            assertThat(refusal(java.pid(), Optional.of(URI.create("http://192.0.2.9:80")), false))
                    .contains("is not a loopback address");
            assertThat(refusal(ProcessHandle.current().pid(), Optional.empty(), false))
                    .contains("Fettle itself");
            assertThat(refusal(4_194_303, Optional.empty(), false)).isEqualTo("there is no process 4194303");
            long thread = env().proc().threads(java.pid()).getLast().id();
            assertThat(refusal(thread, Optional.empty(), false))
                    .isEqualTo(thread + " is a thread of process " + java.pid() + ": name that one");

            URI url = URI.create("http://127.0.0.1:" + two);
            Target.Running found =
                    look(new Target.Running(java.pid(), Optional.of(url), true, false, Optional.empty()));
            assertThat(found.knownServer()).isEmpty();
            assertThat(Constraints.check(found, FEW, 2, 4096))
                    .singleElement()
                    .asString()
                    .contains("no Tomcat, Jetty or");
            try (RunningTarget seen = new ProcessVisit(env(), told::add).visit(found, Setting.DEFAULT)) {
                assertThat(seen.facts().get("command")).contains("-Dpassword=").doesNotContain("hunter2");
            }

            var other = found.with(url, new Target.Found(1, Optional.empty(), Setting.DEFAULT, Set.of()));
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> look(other))
                    .withMessageContaining("is not the one that the run began with");
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> new ProcessVisit(env(), told::add).visit(other, Setting.DEFAULT))
                    .withMessageContaining("its id belongs to another one now");
        } finally {
            sleep.destroyForcibly().waitFor();
            java.destroyForcibly().waitFor();
        }
    }

    /** Another process listens on the same port, at another address. */
    @Test
    void aProcessIsLoadedWhereItListensAndNobodyElse() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 9);
        other.start();
        int port = other.getAddress().getPort();
        Process java = java("127.0.0.2", port);
        try {
            Target.Running asked = new Target.Running(java.pid(), Optional.empty(), false, false, Optional.empty());
            assertThat(look(asked).url()).hasValue(URI.create("http://127.0.0.2:" + port));
            assertThat(refusal(java.pid(), Optional.of(URI.create("http://127.0.0.1:" + port)), false))
                    .isEqualTo("process " + java.pid() + " does not listen on port " + port
                            + " of 127.0.0.1 but of 127.0.0.2: another process would be loaded");
        } finally {
            other.stop(0);
            java.destroyForcibly().waitFor();
        }
    }

    @Tag("long")
    @Test
    void aProbeOfACapacitySearchSeesTheProcess() throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        var load = Fixtures.patient(20, "Hello World").withWarmUpAtMost(Duration.ofSeconds(2)); // with one answer
        var plan = Plan.of("p", look(running(server, false, false)), load).withSeed(1);
        // CPU time is counted in hundredths of a second
        var open = plan.load().withArrivals(Arrivals.Open.constant(400));
        var spec = new TrialSpec(TrialSpec.Phase.BRACKET, "", Map.of(), 0, plan.target(), Setting.DEFAULT, open);
        var second = Duration.ofSeconds(1);
        var probing = new Probing(
                plan.load(),
                Optional.empty(),
                second,
                second.multipliedBy(2),
                second,
                Slo.parse("p99<1s"),
                Probing.Ends.NEVER);
        try (var runner = Fixtures.runner(env(), folder, new LabListener() {})) {
            var step = new Experiment.Step.Kept(new Experiment.Step.Run(spec, "", 0), probing);
            TrialOutcome outcome = Fixtures.observed(() -> runner.runKept(1, step, new LabListener() {}));
            Probe probe = Probe.of(outcome);
            Evidence seen = probe.server().orElseThrow();
            assertThat(seen.serverCpus()).isPositive();
            assertThat(probe.cpuShare().orElseThrow()).isPositive();
            assertThat(seen.get(Aggregate.WORKERS).orElseThrow()).isPositive();
            assertThat(probe.mostWorkers()).hasValue(200);
            assertThat(seen.acceptQueueLimit()).isPresent();
        }
        assertThat(server.alive()).isTrue();
    }
}
