package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.watch.host.CpuOfThreads;
import dev.fettle.watch.host.OwnCpu;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.AttributeNotFoundException;
import javax.management.ObjectName;
import javax.management.modelmbean.ModelMBeanInfoSupport;
import javax.management.modelmbean.RequiredModelMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On JVMs that have what is to be read. */
@Timeout(300)
class RunningJvmTest {
    /** The MBeans of a Tomcat whose connector runs on an Executor with a name prefix of its own, and one such worker. */
    public static final class OnExecutor {
        public static void main(String[] args) throws Exception {
            register("Catalina:type=ThreadPool,name=\"http-nio-8080\"", Map.of("localPort", 8080, "maxThreads", -1));
            register("Catalina:type=Executor,name=shared", Map.of("namePrefix", "mine "));
            var worker = new Thread(OnExecutor::work, "mine 1");
            worker.setDaemon(true);
            worker.start();
            System.out.println("up");
            Thread.sleep(Long.MAX_VALUE);
        }

        private static void work() {
            while (true) {
                Thread.onSpinWait();
            }
        }

        private static void register(String name, Map<String, Object> attributes) throws Exception {
            ModelMBeanInfoSupport none =
                    new ModelMBeanInfoSupport(OnExecutor.class.getName(), "a bean", null, null, null, null);
            var bean = new RequiredModelMBean(none) {
                @Override
                public Object getAttribute(String attribute) throws AttributeNotFoundException {
                    return Optional.ofNullable(attributes.get(attribute))
                            .orElseThrow(() -> new AttributeNotFoundException(attribute));
                }
            };
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, new ObjectName(name));
        }
    }

    /** A prefix that nobody could guess is told by the Executor's MBean. */
    @Test
    void workersOfAnExecutorAreKnownByItsBean() throws Exception {
        Process jvm = JvmSignalsTest.start(OnExecutor.class);
        try (var running = JvmSignalsTest.attached(jvm)) {
            assertThat(WorkerNames.of(running, 8080)).hasValue(new WorkerNames(ServerKind.TOMCAT, "mine "));
            assertThat(WorkerNames.of(running, 8081)).isEmpty();
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** To have no MBeans and to be out of reach are two things: only one of them is the server's. */
    @Test
    void aJvmThatDoesNotAnswerIsNotOneWithoutBeans() throws Exception {
        Process jvm = JvmSignalsTest.start(OnExecutor.class);
        try (var running = JvmSignalsTest.attached(jvm)) {
            assertThat(ServerBeans.of(running, 8080)).isPresent();
            assertThat(ServerBeans.of(running, 8081)).isEmpty();
            running.close();
            assertThatIOException().isThrownBy(() -> ServerBeans.of(running, 8080));
            assertThat(WorkerNames.of(running, 8080)).isEmpty();
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** ZGC counts its cycles as if they were a collector: their time is not the program's. */
    @Test
    void ofZgcOnlyThePausesAreCollectionTime() throws Exception {
        Process jvm = JvmSignalsTest.start("-XX:+UseZGC");
        try (var running = JvmSignalsTest.attached(jvm)) {
            assertThat(zgcMillis(running, "Cycles")).isPositive();
            long before = zgcMillis(running, "Pauses");
            long told = running.gcMillis();
            assertThat(told).isBetween(before, zgcMillis(running, "Pauses"));
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static long zgcMillis(RunningJvm jvm, String what) throws IOException {
        long all = 0;
        for (String generation : List.of("Minor", "Major")) {
            all += Long.parseLong(jvm.attribute(
                    "java.lang:type=GarbageCollector,name=ZGC " + generation + " " + what, "CollectionTime"));
        }
        return all;
    }

    /** Waits for its input to end; its classes can't be loaded any more. */
    static final class Lost {
        public static void main(String[] args) throws Exception {
            System.setProperty("java.home", "/nowhere");
            System.out.println("up");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    @Test
    void aJvmThatHasLostItsJdkIsToldInOneLine() throws Exception {
        Process jvm = JvmSignalsTest.start(Lost.class);
        try {
            for (int i = 0; i < 2; i++) { // it throws something else the second time
                assertThatIOException()
                        .isThrownBy(() -> RunningJvm.attach(jvm.pid()))
                        .withMessageContaining("java.home")
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
            }
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    private static long cpu(CpuOfThreads threads) {
        return threads.nanos().orElseThrow() + OwnCpu.nanos();
    }

    /** All threads of the JVM stand still while its VM thread reads their stacks. */
    @Test
    void readingStacksCostsWhatTheSafepointTakes() throws Exception {
        Process process = JvmSignalsTest.start();
        try (RunningJvm jvm = RunningJvm.attach(process.pid())) {
            var stopping = new CpuOfThreads(
                    Path.of("/proc"),
                    process.pid(),
                    n -> n.equals("VM Thread") || n.startsWith("RMI TCP Connec"),
                    1000);
            jvm.threads().dumpAllThreads(false, false);
            jvm.costNanos(); // both know the same threads from now on
            cpu(stopping);
            for (int i = 0; i < 3; i++) {
                long before = jvm.costNanos();
                long begin = cpu(stopping);
                for (int dumps = 0; dumps < 50; dumps++) {
                    jvm.threads().dumpAllThreads(true, true);
                }
                long end = cpu(stopping);
                assertThat(jvm.costNanos() - before).isGreaterThanOrEqualTo(end - begin);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
