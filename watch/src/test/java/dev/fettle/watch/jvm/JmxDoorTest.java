package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
                    Patience.once(java.time.Duration.ofSeconds(20), "it", () -> JmxDoor.connect(address))) {
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
            assertThatCode(() -> read(bytes(fine), filter)).as("%s", fine).doesNotThrowAnyException();
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
    void norAreTheyReadFromAnAnswer() throws Exception {
        ObjectInputFilter filter = ObjectInputFilter.Config.createFilter(JmxDoor.FILTER);
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes(bomb(60))))) {
            in.setObjectInputFilter(filter);
            assertThatExceptionOfType(InvalidClassException.class).isThrownBy(in::readObject);
        }
    }
}
