package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The servers which Fettle is for. */
@ResourceLock("the MBeans of Tomcat, one set a JVM")
class RealServersTest {

    /** Held, because the log manager forgets a logger that nobody holds, and its level with it. */
    private static final String BODY = "hello from a real server";

    @Test
    void tomcatClosesAfterAHundredRequestsAndThatIsNoError(@TempDir Path base) throws Exception {
        AtomicInteger served = new AtomicInteger();
        Tomcat tomcat = tomcat(base, served);
        try {
            InetSocketAddress address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
            Window one = run(spec(address, "/").maxRequests(1000));
            assertThat(one.errors()).isEmpty();
            assertThat(one.responses()).isEqualTo(1000);
            assertThat(one.reconnects()).isEqualTo(9);
            assertThat(one.connect().getTotalCount()).isEqualTo(10);
            assertThat(served).hasValue(1000);

            Window close =
                    run(spec(address, "/").maxRequests(500).connections(10).keepAlive(false));
            assertThat(close.errors()).isEmpty();
            assertThat(close.responses()).isEqualTo(500);
            assertThat(close.connect().getTotalCount()).isEqualTo(500);
            assertThat(served).hasValue(1500);
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @ParameterizedTest
    @CsvSource({"/length, true", "/chunked, true", "/length, false", "/chunked, false"})
    void jettyIsCountedAsItCounts(String path, boolean keepAlive) throws Exception {
        AtomicInteger served = new AtomicInteger();
        Server jetty = new Server();
        ServerConnector connector = new ServerConnector(jetty, 1, 1);
        connector.setHost("127.0.0.1");
        jetty.addConnector(connector);
        jetty.setHandler(new Answer(served));
        jetty.start();
        try {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort());
            Window window = run(spec(address, path)
                    .maxRequests(4000)
                    .connections(40)
                    .threads(2)
                    .keepAlive(keepAlive));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(4000);
            assertThat(served).hasValue(4000);
            assertThat(window.reconnects()).isZero();
        } finally {
            jetty.stop();
        }
    }

    private static LoadSpecBuilder spec(InetSocketAddress address, String path) {
        return LoadSpec.builder(address, RequestTemplate.get(path))
                .expect(Expectation.status(200).withBodyLength(BODY.length()).withBodyContaining(BODY))
                .maxDuration(Duration.ofSeconds(60));
    }

    private static Tomcat tomcat(Path base, AtomicInteger served) throws LifecycleException {
        Tomcat tomcat = Tomcats.serving(new Hello(served), base);
        tomcat.getConnector();
        tomcat.start();
        return tomcat;
    }

    private static final class Hello extends HttpServlet {
        private final AtomicInteger served;

        Hello(AtomicInteger served) {
            this.served = served;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            served.incrementAndGet();
            response.getOutputStream().write(BODY.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static final class Answer extends Handler.Abstract {
        private final AtomicInteger served;

        Answer(AtomicInteger served) {
            this.served = served;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            served.incrementAndGet();
            if (Request.getPathInContext(request).equals("/chunked")) {
                ByteBuffer first = ByteBuffer.wrap(BODY.substring(0, 5).getBytes(StandardCharsets.UTF_8));
                response.write(
                        false,
                        first,
                        Callback.from(
                                () -> Content.Sink.write(response, true, BODY.substring(5), callback),
                                callback::failed));
            } else {
                Content.Sink.write(response, true, BODY, callback);
            }
            return true;
        }
    }
}
