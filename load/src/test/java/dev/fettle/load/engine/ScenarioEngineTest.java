package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate.Header;
import dev.fettle.load.Scenario;
import dev.fettle.load.Scenario.Body;
import dev.fettle.load.Scenario.Condition;
import dev.fettle.load.Scenario.Extraction;
import dev.fettle.load.Scenario.Feed;
import dev.fettle.load.Scenario.Flow;
import dev.fettle.load.Scenario.Order;
import dev.fettle.load.Scenario.Source;
import dev.fettle.load.Scenario.Step;
import dev.fettle.load.Scenario.Think;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.load.http1.ResponseParser;
import dev.fettle.load.scenario.ScenarioScript;
import dev.fettle.load.scenario.User;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users log in at a real server; and what a user costs. */
@ResourceLock("the MBeans of Tomcat, one set a JVM")
class ScenarioEngineTest {

    private static final Step PAGE = new Step(
            "page",
            "GET",
            "/login",
            List.of(),
            Body.NONE,
            Set.of(200),
            List.of(new Condition.BodyContains("Sign in")),
            List.of(new Extraction("csrf", new Source.Regex("csrf=(\\w+)"))),
            Think.NONE,
            false);

    private static Step logIn(boolean goOn) {
        return new Step(
                "log in",
                "POST",
                "/login",
                List.of(),
                new Body.Form(List.of(
                        new Header("csrf", "${csrf}"),
                        new Header("account", "${account}"),
                        new Header("password", "${password}"))),
                Set.of(303),
                List.of(),
                List.of(new Extraction("next", new Source.Header("Location", Optional.empty()))),
                new Think(Duration.ofMillis(1), Duration.ofMillis(2)),
                goOn);
    }

    private static final Step HOME = new Step(
            "home",
            "GET",
            "${next|path}",
            List.of(),
            Body.NONE,
            Set.of(200),
            List.of(new Condition.BodyContains("Welcome, ${account}!")),
            List.of(),
            Think.NONE,
            false);

    private static Scenario scenario(String... passwords) {
        var rows = Arrays.stream(passwords).map(p -> List.of("ada & " + p, p)).toList();
        return new Scenario(
                List.of(new Flow("main", 1, List.of(PAGE, logIn(false), HOME))),
                List.of(new Feed("users.csv", List.of("account", "password"), rows, Order.SEQUENTIAL)),
                Map.of(),
                false,
                1);
    }

    /** Six users: each on a connection of its own, or three on each of two. */
    @ParameterizedTest
    @CsvSource({"HTTP_1_1, 6, 1", "HTTP_2, 6, 1", "HTTP_2, 2, 3"})
    void usersLogInAndSeeThePageBehindIt(Protocol protocol, int connections, int streams, @TempDir Path base)
            throws Exception {
        Tomcat tomcat = tomcat(base);
        try {
            var address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
            // every third account has a wrong password
            Window window = run(LoadSpec.builder(address, scenario("open sesame", "open ß&=+%", "wrong"))
                    .connections(connections)
                    .wire(Wire.PLAIN.withProtocol(protocol).withInFlight(streams))
                    .threads(2)
                    .maxRequests(90)
                    .maxDuration(Duration.ofSeconds(60)));
            assertThat(window.steps()).hasSize(3);
            long pages = window.steps().get(0).latency().getTotalCount();
            long logIns = window.steps().get(1).latency().getTotalCount();
            long homes = window.steps().get(2).latency().getTotalCount();
            long refused = window.steps().get(1).failed();
            assertThat(window.errors().keySet()).containsExactly(ErrorKind.STATUS);
            assertThat(window.errors().get(ErrorKind.STATUS).example())
                    .isEqualTo("step 'log in': status 403, expected 303");
            assertThat(window.errors().get(ErrorKind.STATUS).count()).isEqualTo(refused);
            assertThat(window.responses()).isEqualTo(pages + logIns + homes);
            assertThat(refused).isBetween(pages / 3 - 6, pages / 3 + 6).isPositive();
            assertThat(homes).isBetween(logIns - 6, logIns).isPositive();
            assertThat(window.steps().get(0).failed() + window.steps().get(2).failed())
                    .isZero();
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Test
    void whateverGoesWrongTheStepIsNamed() throws Exception {
        var scenario = Scenario.of(Step.get("greet", "/a"), Step.get("ask", "/b"));
        try (var server = new ScriptedServer((number, peer) -> {
            if (number == 1) {
                peer.write(ScriptedServer.OK);
            } else {
                peer.hang();
            }
        })) {
            Window window = run(
                    LoadSpec.builder(server.address(), scenario).maxRequests(1).responseTimeout(Duration.ofSeconds(2)));
            assertThat(window.errors().get(ErrorKind.READ_TIMEOUT).example())
                    .startsWith("step 'ask': no complete response within the time-out");
        }
    }

    @Test
    void whatAScenarioCannotBeSentOverIsRefused() {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
        var scenario = Scenario.of(Step.get("a", "/"));
        assertThatThrownBy(() -> LoadSpec.builder(address, scenario)
                        .wire(Wire.PLAIN.withInFlight(2))
                        .build())
                .hasMessageStartingWith("a user of a scenario waits for each answer");
        assertThatThrownBy(() -> LoadEngine.check(LoadSpec.builder(address, Scenario.of(Step.get("a", "/${x}")))
                        .build()))
                .hasMessageStartingWith("step 'a': ${x} has no value here");
    }

    /** Cookies, rows, headers, JSON, checks and escapes: all but regular expressions. */
    @Test
    void aUserAllocatesNothingOnceItsBuffersHaveGrown() {
        Step first = new Step(
                "first",
                "POST",
                "/a/${name}?u=${user}",
                List.of(new Header("X-Id", "${random.uuid}")),
                new Body.Form(List.of(new Header("name", "${name}"), new Header("i", "${iteration}"))),
                Set.of(),
                List.of(
                        new Condition.BodyContains("id"),
                        new Condition.HeaderEquals("X-Name", "${name}"),
                        new Condition.JsonEquals("$.name", "${name}")),
                List.of(
                        new Extraction("id", new Source.Json("$.items[1].id")),
                        new Extraction("next", new Source.Header("Location", Optional.empty()))),
                new Think(Duration.ofMillis(1), Duration.ofMillis(9)),
                false);
        Step second = new Step(
                "second",
                "PUT",
                "${next|path}",
                List.of(),
                new Body.Text("{\"id\": \"${id|json}\"}"),
                Set.of(),
                List.of(),
                List.of(),
                Think.NONE,
                false);
        var feed = new Feed("f", List.of("name"), List.of(List.of("ada é"), List.of("grace")), Order.RANDOM);
        var scenario =
                new Scenario(List.of(new Flow("main", 1, List.of(first, second))), List.of(feed), Map.of(), false, 1);
        var user = new User(scenario);
        String head = "HTTP/1.1 200 OK\r\nSet-Cookie: sid=12345; Path=/; Expires=Thu, 01 Jan 2037 00:00:00 GMT\r\n"
                + "Location: http://h:81/order/1?x=y\r\nX-Name: %s\r\nContent-Length: %d\r\n\r\n%s";
        List<ByteBuffer> answers = List.of(answer(head, "ada é"), answer(head, "grace"));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 20_000;
        rounds(user, answers, rounds);

        long before = threads.getCurrentThreadAllocatedBytes();
        rounds(user, answers, rounds);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // two requests a round; a few bytes for what the JIT has not yet taken away
        assertThat((double) allocated / (2 * rounds)).isLessThan(4);
    }

    private static ByteBuffer answer(String head, String name) {
        String body = "{\"name\": \"" + name + "\", \"items\": [1, {\"id\": \"a\\\"b\"}]}";
        byte[] bytes = head.formatted(name, body.getBytes(StandardCharsets.UTF_8).length, body)
                .getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocateDirect(bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .flip();
    }

    private static void rounds(User user, List<ByteBuffer> answers, int count) {
        ScenarioScript script = user.script();
        ResponseParser parser = user.parser();
        for (int i = 0; i < count; i++) {
            for (int step = 0; step < 2; step++) {
                ByteBuffer request = script.request();
                // "POST /a/a" or "POST /a/g"
                ByteBuffer answer = answers.get(step == 0 && request.get(8) == 'g' ? 1 : 0);
                parser.begin(script.isHead(), script.sink());
                parser.feed(answer.rewind());
                if (script.judge(parser) != null) {
                    throw new AssertionError(script.explain(ErrorKind.CHECK, parser));
                }
                script.next(true);
            }
        }
    }

    private static Tomcat tomcat(Path base) throws Exception {
        Tomcat tomcat = Tomcats.serving(new Login(), base);
        tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
        // one thread at a time reads a connection: see Http2TomcatTest
        tomcat.getConnector().setProperty("useAsyncIO", "false");
        tomcat.start();
        return tomcat;
    }

    /** A page with a token; a form that wants the token and the right password; a page for who has the cookie. */
    private static final class Login extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=UTF-8");
            if (request.getRequestURI().equals("/login")) {
                var cookie = new Cookie("csrf", "t" + System.nanoTime());
                response.addCookie(cookie);
                response.getWriter().print("Sign in csrf=" + cookie.getValue());
                return;
            }
            String account = cookie(request, "account");
            response.setStatus(account.isEmpty() ? 401 : 200);
            response.getWriter().print("Welcome, " + URLDecoder.decode(account, StandardCharsets.UTF_8) + "!");
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.setCharacterEncoding("UTF-8");
            boolean right = request.getParameter("csrf").equals(cookie(request, "csrf"))
                    && request.getParameter("account").equals("ada & " + request.getParameter("password"))
                    && request.getParameter("password").startsWith("open ");
            if (!right) {
                response.setStatus(403);
                return;
            }
            var cookie =
                    new Cookie("account", URLEncoder.encode(request.getParameter("account"), StandardCharsets.UTF_8));
            cookie.setPath("/");
            response.addCookie(cookie);
            response.setStatus(303);
            response.setHeader("Location", request.getRequestURL().toString().replace("/login", "/home?from=login"));
        }

        private static String cookie(HttpServletRequest request, String name) {
            if (request.getCookies() != null) {
                for (Cookie c : request.getCookies()) {
                    if (c.getName().equals(name)) {
                        return c.getValue();
                    }
                }
            }
            return "";
        }
    }
}
