package dev.fettle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.abortedWithReason;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedSuccessfully;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** The annotation, in a test run of its own. */
class FettleTestTest {
    private static final AtomicInteger CALLED = new AtomicInteger();

    @TempDir
    private Path home;

    static class Sample {
        @FettleTest(plan = "plan.yaml", options = "--at-least=100/s")
        void sells(PlanResult result) {
            assertThat(result.capacity()).isGreaterThan(1_000);
            CALLED.incrementAndGet();
        }
    }

    static class WithoutAPlan {
        @FettleTest(plan = "no-such.yaml")
        void sells() {
            CALLED.incrementAndGet();
        }
    }

    static class NoFettleTest {
        @Test
        @org.junit.jupiter.api.extension.ExtendWith(FettleExtension.class)
        void asks(PlanResult result) {
            CALLED.incrementAndGet();
        }
    }

    @AfterEach
    void forget() {
        System.clearProperty("fettle.home");
        CALLED.set(0);
    }

    private Events ran(Class<?> sample) {
        System.setProperty("fettle.home", home.toString());
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .execute()
                .testEvents();
    }

    @Test
    void theMethodGetsAResultThatIsGood() throws Exception {
        var stub = StubCommand.in(home, 0, "capacity-found", "");
        ran(Sample.class).assertThatEvents().haveExactly(1, event(test("sells"), finishedSuccessfully()));
        assertThat(CALLED).hasValue(1);
        assertThat(stub.arguments()).first().isEqualTo("capacity");
        assertThat(stub.arguments().get(1)).endsWith("/dev/fettle/junit/plan.yaml");
        assertThat(stub.arguments()).last().isEqualTo("--at-least=100/s");
    }

    @Test
    void aVoidRunIsAbortedAndTheMethodNotCalled() {
        StubCommand.in(home, 4, "capacity-nothing-valid", "");
        ran(Sample.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("sells"),
                                abortedWithReason(
                                        instanceOf(TestAbortedException.class), message(m -> m.contains("void")))));
        assertThat(CALLED).hasValue(0);
    }

    @Test
    void aBrokenObjectiveFailsAndTheMethodIsNotCalled() {
        StubCommand.in(home, 5, "capacity-found", "");
        ran(Sample.class)
                .assertThatEvents()
                .haveExactly(1, event(test("sells"), finishedWithFailure(instanceOf(AssertionFailedError.class))));
        assertThat(CALLED).hasValue(0);
    }

    @Test
    void withoutAPlanOrACommandItIsAnError() {
        ran(WithoutAPlan.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("sells"),
                                finishedWithFailure(
                                        instanceOf(FettleException.class), message(m -> m.contains("no-such.yaml")))));
        ran(Sample.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("sells"),
                                finishedWithFailure(
                                        instanceOf(FettleException.class), message(m -> m.contains("fettle.home")))));
        ran(NoFettleTest.class).assertThatEvents().haveExactly(1, event(test("asks"), finishedWithFailure()));
        assertThat(CALLED).hasValue(0);
    }
}
