package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.GarbageCollectorMXBean;
import dev.fettle.watch.jvm.answer.AnswerClasses;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serial;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.BadAttributeValueExpException;
import javax.management.InstanceNotFoundException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import jdk.management.jfr.FlightRecorderMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a JVM hands over as the address of its management agent may be chosen by what runs in it. */
class JmxDoorTest {
    /** Made of bytes, it would leave a mark: as any class of a library could. */
    static final class Mark implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        static final AtomicInteger MADE = new AtomicInteger();

        @Serial
        private void readObject(ObjectInputStream in) {
            MADE.incrementAndGet();
        }
    }

    private static byte[] bytes(Object of) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var objects = new ObjectOutputStream(out)) {
            objects.writeObject(of);
        }
        return out.toByteArray();
    }

    private static String stub(byte[] object) {
        return "service:jmx:rmi://127.0.0.1/stub/" + Base64.getEncoder().encodeToString(object);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service:jmx:rmi:///jndi/ldap://127.0.0.1:9/x",
                "service:jmx:rmi://127.0.0.1/jndi/rmi://127.0.0.1:9/jmxrmi",
                "service:jmx:rmi:///stub/rO0ABXA=",
                "service:jmx:rmi://192.0.2.1/stub/rO0ABXA=",
                "service:jmx:rmi://127.0.0.1.example.org/stub/rO0ABXA=",
                "service:jmx:rmi://127.0.0.1/ior/IOR:00",
                "service:jmx:iiop://127.0.0.1/stub/rO0ABXA=",
                "service:jmx:jmxmp://127.0.0.1:9",
                "service:jmx:ldap://127.0.0.1/stub/",
                "http://127.0.0.1/",
                ""
            })
    void onlyAStubOnLoopbackIsAnAddress(String address) {
        assertThatIOException().isThrownBy(() -> JmxDoor.connect(address));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "[0:0:0:0:0:0:0:1]"})
    void whatAnAgentGivesIsOne(String host) {
        assertThatCode(() -> JmxDoor.checked("service:jmx:rmi://" + host + "/stub/rO0ABXA="))
                .doesNotThrowAnyException();
    }

    @Test
    void noClassOfTheClassPathIsMadeOfBytes() throws Exception {
        assertThatIOException().isThrownBy(() -> JmxDoor.connect(stub(bytes(new Mark()))));
        assertThatIOException().isThrownBy(() -> JmxDoor.connect(stub(bytes(new TreeMap<>(Map.of("a", new Mark()))))));
        assertThat(Mark.MADE).hasValue(0);
    }

    @Test
    void whatIsNoStubIsOneLine() {
        for (byte[] b : List.of(new byte[0], new byte[] {1, 2, 3}, "rubbish".getBytes(StandardCharsets.UTF_8))) {
            assertThatIOException()
                    .isThrownBy(() -> JmxDoor.connect(stub(b)))
                    .satisfies(e -> assertThat(e.getMessage()).isNotBlank().doesNotContain("\n"));
        }
        assertThatIOException().isThrownBy(() -> JmxDoor.connect("service:jmx:rmi://127.0.0.1/stub/!!!"));
        assertThatIOException().isThrownBy(() -> JmxDoor.connect(stub(bytes("text"))));
    }

    /** The stub's own address is another machine's (TEST-NET-1): the agent here is connected to all the same. */
    @Test
    void whereAStubPointsToIsThisMachine() throws Exception {
        String before = System.getProperty("java.rmi.server.hostname");
        System.setProperty("java.rmi.server.hostname", "192.0.2.1");
        var server = new RMIConnectorServer(
                new JMXServiceURL("service:jmx:rmi://127.0.0.1"),
                Map.of(),
                new RMIJRMPServerImpl(0, null, null, Map.of()),
                ManagementFactory.getPlatformMBeanServer());
        try {
            server.start();
            String address = server.getAddress().toString();
            try (JMXConnector c =
                    CallTimeout.once(java.time.Duration.ofSeconds(20), "it", () -> JmxDoor.connect(address))) {
                assertThat(c.getMBeanServerConnection().getMBeanCount()).isPositive();
            }
        } finally {
            server.stop();
            if (before == null) {
                System.clearProperty("java.rmi.server.hostname");
            } else {
                System.setProperty("java.rmi.server.hostname", before);
            }
        }
    }

    @Test
    void theFilterTakesWhatManagementAnswersAndNothingElse() throws Exception {
        ObjectInputFilter filter = ObjectInputFilter.Config.createFilter(JmxDoor.FILTER);
        var type = new CompositeType(
                "a", "b", new String[] {"c"}, new String[] {"d"}, new OpenType<?>[] {SimpleType.LONG});
        for (Object fine : List.of(
                ManagementFactory.getRuntimeMXBean().getObjectName(),
                new javax.management.openmbean.CompositeDataSupport(type, Map.of("c", 1L)),
                new javax.management.AttributeList(List.of(new javax.management.Attribute("a", 1))),
                ManagementFactory.getPlatformMBeanServer()
                        .getMBeanInfo(ManagementFactory.getRuntimeMXBean().getObjectName()),
                new javax.management.InstanceNotFoundException("x"),
                new long[] {1, 2},
                new byte[50_000])) {
            assertThatCode(() -> answer((Serializable) fine)).as("%s", fine).doesNotThrowAnyException();
        }
        for (Object refused : List.of(new Mark(), new Mark[0], new SslRMIClientSocketFactory(), new java.awt.Point())) {
            assertThat(bytes(refused)).isNotEmpty();
            assertThatIOException()
                    .as("%s", refused)
                    .isThrownBy(() -> read(bytes(refused), filter))
                    .isInstanceOf(InvalidClassException.class);
        }
    }

    private static Object read(byte[] bytes, ObjectInputFilter filter) throws Exception {
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.setObjectInputFilter(filter);
            return in.readObject();
        }
    }

    /** Each level holds both sets of the next one twice: 2 to the power of the levels, to count what they hold. */
    private static Set<Object> bomb(int levels) {
        Set<Object> root = new HashSet<>();
        Set<Object> one = root;
        Set<Object> other = new HashSet<>();
        for (int i = 0; i < levels; i++) {
            Set<Object> deeper = new HashSet<>(Set.of("it differs"));
            Set<Object> deepest = new HashSet<>();
            one.add(deeper);
            one.add(deepest);
            other.add(deeper);
            other.add(deepest);
            one = deeper;
            other = deepest;
        }
        return root;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 60})
    void setsWithinSetsAreNoStub(int levels) {
        assertThatIOException()
                .isThrownBy(() -> JmxDoor.connect(stub(bytes(bomb(levels)))))
                .withMessageContaining("stub")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void norIsAnythingReadFromAnAnswerThatIsThatDeep() throws Exception {
        byte[] bytes = bytes(bomb(60));
        assertThatExceptionOfType(InvalidClassException.class)
                .isThrownBy(() -> answer(bytes, i -> ObjectInputFilter.Status.UNDECIDED));
    }

    /**
     * An array of the sets of a {@link #bomb}, the innermost first: each refers only to those before it, so nothing is deep. To add one to a
     * hash table takes 2 to the power of its levels.
     */
    private static Object[] fromItsLeaves(int levels) {
        var all = new ArrayList<Object>();
        Set<Object> one = new HashSet<>();
        Set<Object> other = new HashSet<>();
        all.add(one);
        all.add(other);
        for (int i = 0; i < levels; i++) {
            Set<Object> deeper = new HashSet<>(Set.of("it differs"));
            Set<Object> deepest = new HashSet<>();
            one.add(deeper);
            one.add(deepest);
            other.add(deeper);
            other.add(deepest);
            one = deeper;
            other = deepest;
            all.add(one);
            all.add(other);
        }
        return all.reversed().toArray();
    }

    /** The JDK's tables ask for hash codes while they are read. */
    @Test
    void ofAnAnswersTablesListsAreMade() throws Exception {
        for (Serializable table : List.of(
                new HashMap<>(Map.of("k", "v", "l", 2)),
                new LinkedHashMap<>(Map.of("k", "v")),
                new HashSet<>(Set.of("a", "b")),
                new HashSet<>())) {
            assertThat(answer(table))
                    .isEqualTo(table)
                    .isNotInstanceOfAny(HashMap.class, HashSet.class)
                    .extracting(o -> o.getClass().getSimpleName())
                    .isEqualTo(table.getClass().getSimpleName());
        }
    }

    @Test
    void soWhatIsWrittenFromItsLeavesOnIsReadInALinearNumberOfSteps() throws Exception {
        var steps = new AtomicInteger();
        for (int levels : new int[] {60, 120}) {
            byte[] bytes = bytes(fromItsLeaves(levels));
            int before = steps.get();
            assertThat((Object[]) answer(bytes, i -> {
                        steps.incrementAndGet();
                        return ObjectInputFilter.Status.UNDECIDED;
                    }))
                    .hasSize(2 + 2 * levels);
            assertThat(steps.get() - before).isLessThan(40 * levels);
        }
    }

    /** Whatever else asks its parts for hash codes, makes texts of them, compares, connects or listens while it is read. */
    static Stream<Object> tables() throws Exception {
        return Stream.of(
                Set.of("a"),
                Map.of("a", 1),
                new Hashtable<>(Map.of("a", 1)),
                new Properties(),
                new ConcurrentHashMap<>(Map.of("a", 1)),
                new IdentityHashMap<>(Map.of("a", 1)),
                new LinkedHashSet<>(Set.of("a")),
                new TreeSet<>(Set.of("a")),
                new PriorityQueue<>(Set.of("a")),
                new BadAttributeValueExpException(new Object[] {new int[1]}),
                Pattern.compile("a"),
                new BigDecimal("1e10"),
                new URI("http://127.0.0.1/"),
                new URL("http://127.0.0.1/"),
                Proxy.newProxyInstance(null, new Class<?>[] {Runnable.class}, new Handler()));
    }

    private record Handler() implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return 1;
        }
    }

    @ParameterizedTest
    @MethodSource("tables")
    void noOtherTableIsRead(Object table) throws Exception {
        byte[] bytes = bytes(table);
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> answer(bytes, i -> ObjectInputFilter.Status.UNDECIDED))
                .isInstanceOfAny(InvalidClassException.class, ClassNotFoundException.class);
    }

    /** Arrays within arrays are there before their elements: a few bytes for all the memory. */
    @Test
    void arraysThatAreAnnouncedOnlyAreNot() throws Exception {
        byte[] large = bytes(new Object[1_000_001]);
        assertThatExceptionOfType(InvalidClassException.class)
                .isThrownBy(() -> answer(large, i -> ObjectInputFilter.Status.UNDECIDED));
    }

    /** What the classes that Fettle names answer: all of a JVM's own beans, its notifications, and one that answers with a bomb. */
    @Test
    void anAgentAnswersThroughTheDoor() throws Exception {
        JmxDoor.Guards.set();
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        var name = new ObjectName("dev.fettle.test:type=Bomb");
        beans.registerMBean(new StandardMBean((Callable<Object>) () -> fromItsLeaves(60), Callable.class), name);
        var server = new RMIConnectorServer(
                new JMXServiceURL("service:jmx:rmi://127.0.0.1"),
                Map.of(),
                new RMIJRMPServerImpl(0, null, null, Map.of()),
                beans);
        server.start();
        String address = server.getAddress().toString();
        try (JMXConnector c = JmxDoor.connect(address)) {
            MBeanServerConnection remote = c.getMBeanServerConnection();
            Object bomb = remote.invoke(name, "call", new Object[0], new String[0]);
            assertThat((Object[]) bomb).hasSize(122);
            assertThatIllegalArgumentException().isThrownBy(() -> RunningJvm.text(bomb));
            assertThat(remote.queryNames(new ObjectName("java.lang:*"), null))
                    .contains(SeenThread.BEAN)
                    .hasSize(beans.queryNames(new ObjectName("java.lang:*"), null)
                            .size());
            assertThat(remote.getMBeanInfo(name).getOperations()).hasSize(1);
            assertThat(remote.getMBeanInfo(SeenThread.BEAN).getAttributes())
                    .filteredOn(a -> a.getName().equals("ThreadCpuTimeEnabled"))
                    .singleElement()
                    .satisfies(a -> assertThat(a.isWritable()).isTrue())
                    .satisfies(a -> assertThat(a.getType()).isEqualTo("boolean"));
            for (GarbageCollectorMXBean each :
                    ManagementFactory.getPlatformMXBeans(remote, GarbageCollectorMXBean.class)) {
                System.gc();
                assertThat(each.getLastGcInfo() == null
                                || !each.getLastGcInfo().getMemoryUsageAfterGc().isEmpty())
                        .isTrue();
            }
            var recorder = JMX.newMXBeanProxy(
                    remote, new ObjectName(FlightRecorderMXBean.MXBEAN_NAME), FlightRecorderMXBean.class);
            long id = recorder.newRecording();
            recorder.setRecordingOptions(id, Map.of("name", "of a test", "maxSize", "1000000"));
            recorder.setRecordingSettings(id, Map.of("jdk.ThreadPark#enabled", "false"));
            assertThat(recorder.getRecordings())
                    .anySatisfy(r -> assertThat(r.getName()).isEqualTo("of a test"));
            assertThat(recorder.getConfigurations())
                    .anySatisfy(f -> assertThat(f.getName()).isEqualTo("profile"));
            recorder.closeRecording(id);
            assertThatExceptionOfType(InstanceNotFoundException.class)
                    .isThrownBy(() -> remote.getAttribute(new ObjectName("no:type=Such"), "a"));
        } finally {
            server.stop();
            beans.unregisterMBean(name);
        }
    }

    private static Object answer(Serializable of) throws Exception {
        return answer(bytes(of), i -> ObjectInputFilter.Status.UNDECIDED);
    }

    /** As RMI reads it. */
    private static Object answer(byte[] bytes, ObjectInputFilter watched) throws Exception {
        var classes = new AnswerClasses();
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass of) throws IOException, ClassNotFoundException {
                return classes.loadClass(null, of.getName(), null);
            }

            @Override
            protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
                return classes.loadProxyClass(null, interfaces, null);
            }
        }) {
            ObjectInputFilter filter = ObjectInputFilter.Config.createFilter(JmxDoor.FILTER);
            in.setObjectInputFilter(i -> {
                watched.checkInput(i);
                return filter.checkInput(i);
            });
            return in.readObject();
        }
    }
}
