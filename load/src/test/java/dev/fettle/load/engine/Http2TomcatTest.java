package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.ErrorCount;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.Wire;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** HTTP/2 over TLS with Tomcat, which has two ways to read a connection. */
@ResourceLock("the MBeans of Tomcat, one set a JVM")
class Http2TomcatTest {

    private static final String BODY = "hello from a real server";
    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 10;
    private static final int REQUESTS = 2000;
    /** How often to try for a run without Tomcat's race, which is rare. */
    private static final int TRIES = 10;
    /** Tomcat writes numbers with thousands separators. */
    private static final Pattern OVERTAKEN = Pattern.compile("the server ended the connection: PROTOCOL_ERROR "
            + "'A new remote stream ID of \\[([\\d,]+)] was requested but the most recent stream was \\[([\\d,]+)]'");

    private interface Loads {
        void on(InetSocketAddress address) throws Exception;
    }

    /** One thread at a time reads a connection, so whatever Tomcat objects to is our doing: nothing is let pass. */
    @Test
    void oneReader(@TempDir Path base) throws Exception {
        with(base, false, address -> assertClean(run(address, h2())));
    }

    /** As it comes; and HTTP/1.1 on the same port. */
    @Test
    void asItComes(@TempDir Path base) throws Exception {
        with(base, true, address -> {
            Window window = run(address, h2());
            for (int tried = 1; tried < TRIES && !window.errors().isEmpty(); tried++) {
                assertTomcatsRace(window);
                window = run(address, h2());
            }
            assertClean(window);
            assertClean(run(address, Wire.PLAIN.with(trusting())));
        });
    }

    private static void assertClean(Window window) {
        assertThat(window.errors()).isEmpty();
        assertThat(window.responses()).isEqualTo(REQUESTS);
    }

    /**
     * All that went wrong is that Tomcat says a request came after a later one. With {@code useAsyncIO}, its default,
     * two threads can read a new connection (seen with 11.0.24; 11.0.25 reads the same way). The one that has read the
     * client's preface goes on to read frames; when that returns, the call around it reads, too ({@code
     * Http2UpgradeHandler.upgradeDispatch}, whose {@code init} it was). A read can begin before what the last one got
     * is parsed: {@code SocketWrapperBase.VectoredIOCompletionHandler} releases the semaphore and only then calls the
     * handler. So while one thread parses the first requests, another can parse one that follows the answer to the
     * first of them; the rest of the first ones then come late. Two parsers can do other harm, too (a stream reset,
     * frames cut wrongly, a connection closed without a word): that is not let pass.
     *
     * <p>{@link TomcatReadersTest} makes that happen. That it is not our order is what {@link #oneReader} and
     * {@link Http2OrderTest} assert.
     */
    private static void assertTomcatsRace(Window window) {
        assertThat(window.errors()).containsOnlyKeys(ErrorKind.RESET);
        ErrorCount lost = window.errors().get(ErrorKind.RESET);
        Matcher overtaken = OVERTAKEN.matcher(lost.example());
        assertThat(overtaken.find()).as(lost.example()).isTrue();
        assertThat(number(overtaken.group(1))).as(lost.example()).isLessThan(number(overtaken.group(2)));
        // the streams of a connection fail together; on more than one connection each it would not be rare
        assertThat(lost.count()).isLessThanOrEqualTo(CONNECTIONS * STREAMS);
        assertThat(window.responses() + lost.count()).isEqualTo(REQUESTS);
    }

    private static int number(String text) {
        return Integer.parseInt(text.replace(",", ""));
    }

    private static void with(Path base, boolean asyncIo, Loads loads) throws Exception {
        Tomcat tomcat = Tomcats.serving(new Hello(), base);
        Connector connector = connector(asyncIo);
        tomcat.setConnector(connector);
        tomcat.start();
        try {
            loads.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort()));
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private static Connector connector(boolean asyncIo) {
        Connector connector = new Connector();
        Tomcats.secure(connector);
        assertThat(connector.setProperty("useAsyncIO", Boolean.toString(asyncIo)))
                .as("the attribute exists")
                .isTrue();
        connector.addUpgradeProtocol(new Http2Protocol());
        return connector;
    }

    private static Window run(InetSocketAddress address, Wire wire) throws InterruptedException {
        return FaultsTest.run(LoadSpec.builder(address, RequestTemplate.get("/"))
                .wire(wire)
                .connections(CONNECTIONS)
                .maxRequests(REQUESTS)
                .expect(Expectation.status(200).withBodyLength(BODY.length())));
    }

    private static Wire h2() throws Exception {
        return Wire.PLAIN.withProtocol(Protocol.HTTP_2).withInFlight(STREAMS).with(trusting());
    }

    private static Tls trusting() throws Exception {
        return new Tls(Optional.of(Certificates.GOOD.pem().toString()), false, true);
    }

    private static final class Hello extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentLength(BODY.length());
            response.getOutputStream().print(BODY);
        }
    }
}
