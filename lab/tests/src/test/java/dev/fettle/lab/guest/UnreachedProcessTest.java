package dev.fettle.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Guest;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.RunningJvm;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

/** A process that does not answer when a value is set or put back: no trial may be measured at, or blamed on, what it has then. */
class UnreachedProcessTest extends StandingServers {
    private static final Setting FEW = Setting.of("threads.max", "6");

    @Test
    void whatIsOwedIsPutBackBeforeATrialWhateverItsSetting() throws Exception {
        RunningTarget server = standing(ServerKind.TOMCAT);
        Map<String, String> before = values(server);
        Target.Running target = look(running(server, true, false));
        var visit = new ProcessVisit(env(), told::add);
        RunningTarget cutOff = visit.visit(target, FEW); // its values could not be put back
        try (RunningTarget asItWas = visit.visit(target, Setting.DEFAULT)) {
            assertThat(values(server)).isEqualTo(before);
            assertThat(asItWas.effective()).containsEntry("threads.max", before.get("threads.max"));
        }
        cutOff.close();

        RunningTarget again = visit.visit(target, FEW);
        try (RunningTarget other = visit.visit(target, Setting.of("threads.max", "7"))) {
            assertThat(other.effective()).containsEntry("threads.max", "7");
        }
        assertThat(values(server)).as("and not the six that were owed").isEqualTo(before);
        again.close();

        Guest guest = guest(server);
        var owed = new OriginalValues(debts(), guest);
        owed.keep(new OriginalValues.Kept(1, new TreeMap<>(before)));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> visit.visit(target, Setting.DEFAULT))
                .withMessageContaining("its MBeans are gone")
                .withMessageContaining("could not be put back");
        owed.delete();
    }

    private Guest guest(RunningTarget server) throws LabException {
        return new Guest(
                env().proc(),
                server.pid(),
                env().proc().startTicks(server.pid()).orElseThrow());
    }

    private static boolean isStopped(RunningTarget server) {
        return new Proc()
                .status(Long.toString(server.pid()), "State")
                .orElse("")
                .startsWith("T");
    }

    /** Returns when it stands still, or goes on. */
    private static void signal(RunningTarget server, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", name, Long.toString(server.pid()))
                        .start()
                        .waitFor())
                .isZero();
        while (isStopped(server) != name.equals("-STOP")) {
            Thread.sleep(5);
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsNotWaitedForForEverAndNotTheSettingsFault() throws Exception {
        try (RunningTarget server = up(ServerKind.TOMCAT);
                var jvm = RunningJvm.attach(server.pid())) {
            Map<String, String> before = values(server);
            int port = server.address().getPort();
            var originals = new OriginalValues(debts(), guest(server));
            var patient =
                    ValueRestore.settable(jvm, port, ValueRestore.CALL_BOUND).orElseThrow();
            var hasty = ValueRestore.settable(jvm, port, Duration.ofSeconds(1)).orElseThrow();
            try (var live =
                    new LiveKnobs(switching(server, patient, hasty), originals, guest(server), port, told::add)) {
                live.set(FEW);
                assertThat(values(server)).containsEntry("threads.max", "6");
                signal(server, "-STOP");
            }
            assertThat(told)
                    .singleElement()
                    .asString()
                    .startsWith("NOT PUT BACK in process " + server.pid())
                    .contains("did not answer within 1 s");
            assertThat(OriginalValues.Kept.of(debts().all().getFirst()).values())
                    .containsEntry("threads.max", before.get("threads.max"));

            var others = new Debts(folder.resolve("others"), env().proc());
            try (var live =
                    new LiveKnobs(hasty, new OriginalValues(others, guest(server)), guest(server), port, told::add)) {
                assertIsNoFaultOfTheSetting(() -> live.set(FEW), "did not answer within 1 s");
            }
            signal(server, "-CONT");
            ValueRestore.putBack(debts(), guest(server), told::add);
            assertThat(values(server)).isEqualTo(before);

            jvm.close();
            var visit = new ProcessVisit(env(), told::add);
            assertIsNoFaultOfTheSetting(
                    () -> visit.set(RunningTarget.of(server.address(), guest(server)), jvm, guest(server), FEW),
                    "could not be set");
        }
    }

    /** What answers in good time, until the process is stopped. */
    private static LiveKnobs.Values switching(RunningTarget server, LiveKnobs.Values patient, LiveKnobs.Values hasty) {
        return new LiveKnobs.Values() {
            private LiveKnobs.Values now() {
                return isStopped(server) ? hasty : patient;
            }

            @Override
            public Map<String, String> read() throws IOException {
                return now().read();
            }

            @Override
            public void set(String knob, String value) throws IOException {
                now().set(knob, value);
            }
        };
    }

    private static void assertIsNoFaultOfTheSetting(ThrowableAssert.ThrowingCallable what, String why) {
        assertThatExceptionOfType(TrialFailure.class)
                .isThrownBy(what)
                .withMessageContaining(why)
                .satisfies(e -> assertThat(e.asFailure().kind()).isEqualTo(Kind.LAB));
    }

    /** It was reached when the run began. */
    @Test
    void aJvmThatIsNotReachedIsNotTheSettingsFault() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "600").start();
        try {
            long started = env().proc().startTicks(sleep.pid()).orElseThrow();
            var found =
                    new Target.Found(started, Optional.of(ServerKind.TOMCAT), Setting.DEFAULT, Set.of("threads.max"));
            var target = new Target.Running(
                    sleep.pid(), Optional.of(URI.create("http://127.0.0.1:1")), true, false, Optional.of(found));
            var visit = new ProcessVisit(env(), told::add);
            assertIsNoFaultOfTheSetting(() -> visit.visit(target, FEW), "could not be set");

            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> visit.visit(target, FEW));
        } finally {
            Thread.interrupted();
            sleep.destroyForcibly().waitFor();
        }
    }
}
