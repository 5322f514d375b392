package dev.fettle.watch.jvm;

import dev.fettle.watch.jvm.answer.AnswerClasses;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * How the management agent of a JVM on this machine is connected to. A JVM hands over an address and, in it, an object; what runs in that
 * JVM could have put anything there. So nothing is looked up by name, no other machine is connected to, and of what the agent answers
 * only what Fettle asks for is made, and no hash table.
 */
final class JmxDoor {
    /** The JDK would ask each JVM every minute whether it is there, and print to standard error if one is not: whoever asks is told. */
    private static final String CHECK_PERIOD = "jmx.remote.x.client.connection.check.period";

    /** The address of an agent that was started by attaching: the object itself follows, in base 64. */
    private static final String STUB = "/stub/";

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "0:0:0:0:0:0:0:1", "[::1]");

    /**
     * What may be made of bytes from another JVM, in all of this process: nothing else is deserialised in it. Only what Fettle's calls are
     * answered with, see {@link AnswerClasses}; what a JVM's own beans answer is at most 12 deep, and the largest piece of a recording has
     * a million bytes. An array is there before its elements have come, so one in another one in another one costs the most.
     */
    static final String FILTER =
            "maxdepth=24;maxrefs=5000000;maxbytes=100000000;maxarray=1000000;" + AnswerClasses.FILTER;

    /** What an address holds: a stub, its two superclasses, and of its own content only numbers and names. */
    static final String STUB_FILTER =
            "maxdepth=5;maxrefs=20;maxbytes=4096;maxarray=100;javax.management.remote.rmi.RMIServerImpl_Stub;"
                    + "java.rmi.server.RemoteStub;java.rmi.server.RemoteObject;!*";

    private JmxDoor() {}

    /**
     * Connects to an agent.
     *
     * @param address what the JVM has handed over
     * @throws IOException if that is not the address of an agent on this machine, or it does not answer
     */
    @SuppressWarnings("BanJNDI") // a stub is in the address itself: no name is looked up
    static JMXConnector connect(String address) throws IOException {
        Guards.set();
        JMXServiceURL url = checked(address);
        try {
            return JMXConnectorFactory.connect(url, Map.of(CHECK_PERIOD, 0L));
        } catch (IOException e) {
            if (e.getCause() instanceof BindException) {
                throw new IOException(
                        "this machine has no free port left to connect to the JVM's management agent: all that the kernel gives"
                                + " to clients are in use (net.ipv4.ip_local_port_range)",
                        e);
            }
            throw new IOException("the JVM's management agent does not answer: " + e, e);
        } catch (RuntimeException e) { // of an object that is no stub, anything
            throw new IOException("the JVM gives an address that is not its management agent's: " + e, e);
        }
    }

    /** An address, if it is that of an agent on loopback with its stub in it. */
    static JMXServiceURL checked(String address) throws IOException {
        JMXServiceURL url = new JMXServiceURL(address);
        if (!url.getProtocol().equals("rmi")
                || !LOOPBACK.contains(url.getHost().toLowerCase(Locale.ROOT))
                || !url.getURLPath().startsWith(STUB)) {
            throw new IOException(
                    "the JVM gives an address that is not its management agent's on loopback; it was not connected to");
        }
        checkStub(url.getURLPath().substring(STUB.length()));
        return url;
    }

    /** Reads the stub once before the connector does, which would make whatever the filter of all the process lets pass. */
    private static void checkStub(String base64) throws IOException {
        try (var in = new ObjectInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(base64)))) {
            in.setObjectInputFilter(ObjectInputFilter.Config.createFilter(STUB_FILTER));
            in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw new IOException("the JVM gives an address whose stub is not its management agent's: " + e, e);
        }
    }

    /** Set once for this process, before the first connection. */
    static final class Guards {
        static {
            System.setProperty(AnswerClasses.PROPERTY, AnswerClasses.class.getName());
            if (ObjectInputFilter.Config.getSerialFilter() == null) { // otherwise -Djdk.serialFilter says so
                ObjectInputFilter.Config.setSerialFilter(ObjectInputFilter.Config.createFilter(FILTER));
            }
            try {
                RMISocketFactory.setSocketFactory(new ToLoopback());
            } catch (IOException e) {
                throw new IllegalStateException("something else in this process has set how RMI connects", e);
            }
        }

        private Guards() {}

        static void set() {
            // the work is done when the class is initialised
        }
    }

    /**
     * Connects to this machine, whatever address a stub names: {@code -Djava.rmi.server.hostname} of a server is often one that can't be
     * reached from here, and what runs in it may have chosen another machine.
     */
    private static final class ToLoopback extends RMISocketFactory {
        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return RMISocketFactory.getDefaultSocketFactory().createServerSocket(port);
        }
    }
}
