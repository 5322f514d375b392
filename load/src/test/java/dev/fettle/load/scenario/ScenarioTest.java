package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.fettle.load.http1.Http1Head;
import dev.fettle.load.http2.Http2Head;
import dev.fettle.load.script.Script;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTest {

    private static final String SECRET = "hunter2";

    private static Step step(String name, String path, Condition... conditions) {
        return new Step(
                name, "GET", path, List.of(), Body.NONE, Set.of(), List.of(conditions), List.of(), Think.NONE, false);
    }

    private static Step taking(String name, Extraction... takes) {
        return new Step(name, "GET", "/", List.of(), Body.NONE, Set.of(), List.of(), List.of(takes), Think.NONE, false);
    }

    private static Step post(String path, List<Header> headers, Body body) {
        return new Step("post", "POST", path, headers, body, Set.of(), List.of(), List.of(), Think.NONE, false);
    }

    private static Extraction json(String variable, String path) {
        return new Extraction(variable, new Source.Json(path));
    }

    private static Scenario with(Map<String, String> variables, Step... steps) {
        return new Scenario(List.of(new Flow("main", 1, List.of(steps))), List.of(), variables, false, 1);
    }

    private static Scenario with(Feed feed, Step... steps) {
        return new Scenario(List.of(new Flow("main", 1, List.of(steps))), List.of(feed), Map.of(), false, 1);
    }

    @Test
    void aRequestIsWrittenWithWhatComesByItself() {
        assertThat(new User(Scenario.of(Step.get("a", "/x?y=z"))).request())
                .isEqualTo("GET /x?y=z HTTP/1.1\r\nHost: h:81\r\n\r\n");
        assertThat(new User(Scenario.of(post(
                                "/in",
                                List.of(new Header("X-User", "u${user}"), new Header("Host", "other")),
                                new Body.Form(List.of(new Header("a b", "1&2"), new Header("n", "é${iteration}"))))))
                        .request())
                .isEqualTo("POST /in HTTP/1.1\r\nX-User: u1\r\nHost: other\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: 21\r\n\r\na%20b=1%262&n=%C3%A91");
        assertThat(new User(Scenario.of(post("/", List.of(), Body.NONE))).request())
                .isEqualTo("POST / HTTP/1.1\r\nHost: h:81\r\nContent-Length: 0\r\n\r\n");
        assertThat(new User(CompiledScenario.of(Scenario.of(Step.get("a", "/")), "h", false, new Http1Head()), 0)
                        .request())
                .isEqualTo("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    }

    /** Read by an independent codec, Jetty's. */
    @Test
    void overHttp2ARequestSaysTheSame() throws Exception {
        Step step = post(
                "/in?${user}",
                List.of(
                        new Header("X-User", "u${user}"),
                        new Header("Host", "h${user}"),
                        new Header("Accept", "*/*"),
                        new Header("Cookie", "a=${iteration}"),
                        new Header("X-Blank", " b")),
                new Body.Text("${iteration}23"));
        var compiled = CompiledScenario.of(Scenario.of(step), "h", false, new Http2Head(true));
        Script script = new User(compiled, 0).script();
        ByteBuffer request = script.request();
        ByteBuffer block = request.slice(0, script.headLength());
        var read = (MetaData.Request) new HpackDecoder(100_000, () -> 0).decode(block);
        assertThat(read.getMethod() + " " + read.getHttpURI()).isEqualTo("POST https://h1/in?1");
        assertThat(read.getHttpFields().stream().map(HttpField::toString))
                .containsExactly("x-user: u1", "accept: */*", "x-blank: b", "cookie: a=1", "content-length: 3");
        assertThat(UTF_8.decode(request.position(script.headLength())).toString())
                .isEqualTo("123");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "/a/${v}! /a/x%22%20%2F%C3%A9",
                "/a/${v|url}! /a/x%22%20%2F%C3%A9",
                "/a?${safe|raw}! /a?b=/c",
                "${link|path}! /p/q?r=s",
                "${root|path}! /",
                "/$$${safe|raw}$! /$${safe|raw}$",
                "/${user}/${iteration}! /1/1",
            })
    void valuesInAPathAreEscaped(String path, String sent) {
        var variables = Map.of(
                "v", "x\" /é", "safe", "b=/c", "link", "https://h.example:8443/p/q?r=s#f", "root", "http://h?x=1");
        assertThat(new User(with(variables, step("a", path))).line()).isEqualTo("GET " + sent + " HTTP/1.1");
    }

    @Test
    void aFilterEscapesForJson() {
        var body = new Body.Text("{\"a\": \"${v|json}\", \"b\": ${v|raw}}");
        assertThat(new User(with(Map.of("v", "\"\\\n\u0001é"), post("/", List.of(), body))).body())
                .isEqualTo("{\"a\": \"\\\"\\\\\\n\\u0001é\", \"b\": \"\\\n\u0001é}");
    }

    @Test
    void uuidsAreOneAnIteration() {
        var user = new User(Scenario.of(Step.get("a", "/${random.uuid}"), Step.get("b", "/${random.uuid}")));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            String first = user.line();
            assertThat(first)
                    .matches("GET /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12} HTTP/1.1");
            user.answer("200 OK", "");
            assertThat(user.line()).isEqualTo(first);
            user.answer("200 OK", "");
            seen.add(first);
        }
        assertThat(seen).hasSize(20);
    }

    @Test
    void valuesAreTakenFromAnswers() {
        var user = new User(Scenario.of(
                taking(
                        "page",
                        json("id", "$.items[1]['a b']"),
                        new Extraction("csrf", new Source.Regex("name=(\\w+)")),
                        new Extraction("whole", new Source.Regex("n\\w+=")),
                        new Extraction("tag", new Source.Header("ETag", Optional.empty())),
                        new Extraction("order", new Source.Header("location", Optional.of("/order/([0-9]+)")))),
                Step.get("use", "/${id}/${csrf}/${whole|raw}/${tag}/${order}")));
        user.request();
        assertThat(user.answer(
                        "200 OK\r\nEtag: \"e\"\r\nLOCATION: http://h/order/77?x\r\netag: no",
                        "{\"items\": [0, {\"a b\": \"i\\u00e9\"}], \"x\": \"name=tok3n\"}"))
                .isZero();
        assertThat(user.explained()).isEmpty();
        assertThat(user.line()).isEqualTo("GET /i%C3%A9/tok3n/name=/%22e%22/77 HTTP/1.1");
        assertThat(user.answer("200 OK", "")).isEqualTo(Script.END);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "{\"v\": null}! CHECK: step 'page': no value for 'v': the body has no $.v",
                "{\"w\": 1}! CHECK: step 'page': no value for 'v': the body has no $.v",
                "<html>! CHECK: step 'page': no value for 'v': the body has no $.v",
                "{\"v\": \"a\\r\\nX-Evil: 1\"}! CHECK: step 'page': the value for 'v' has a line break or another control"
                        + " character, which cannot go into a header",
            })
    void aValueThatIsNotThereOrDoesNotFitEndsTheIteration(String body, String problem) {
        Step use = post("/", List.of(new Header("X-V", "${v}")), Body.NONE);
        var goOn = new Step(
                "page",
                "GET",
                "/",
                List.of(),
                Body.NONE,
                Set.of(),
                List.of(),
                List.of(json("v", "$.v")),
                Think.NONE,
                true);
        var user = new User(Scenario.of(goOn, use));
        assertThat(user.ok(body)).isEqualTo(Script.END);
        assertThat(user.explained()).isEqualTo(problem);
        assertThat(user.step()).isZero();
    }

    @Test
    void aValueThatCannotGoIntoAPathUnescapedIsRefused() {
        var user = new User(Scenario.of(taking("a", json("v", "$")), Step.get("b", "${v|path}")));
        user.ok("\"/a b\"");
        assertThat(user.explained())
                .isEqualTo("CHECK: step 'a': the value for 'v' has characters which cannot go into a path unescaped");
        user.ok("\"home\"");
        assertThat(user.explained()).isEqualTo("CHECK: step 'a': the value for 'v' is no absolute path or URL");
        user.ok("\"http://elsewhere.example/home?a=b\"");
        assertThat(user.explained()).isEmpty();
        assertThat(user.line()).isEqualTo("GET /home?a=b HTTP/1.1");
    }

    @Test
    void conditionsSayWhatFailedAndNeverAValue() {
        record Case(Condition condition, String problem) {}
        for (Case c : List.of(
                new Case(new Condition.HeaderPresent("X-A"), "CHECK: step 's': header X-A is missing"),
                new Case(
                        new Condition.HeaderEquals("X-B", "${v}"),
                        "CHECK: step 's': header X-B is not the value that the step expects"),
                new Case(
                        new Condition.HeaderMatches("X-B", "^[0-9]+$"),
                        "CHECK: step 's': header X-B does not match ^[0-9]+$"),
                new Case(new Condition.BodyContains("Sign in"), "BODY: step 's': the body lacks 'Sign in'"),
                new Case(new Condition.BodyContains("Hi ${v}"), "BODY: step 's': the body lacks 'Hi ${v}'"),
                new Case(new Condition.BodyLacks("got"), "BODY: step 's': the body contains 'got', which it must not"),
                new Case(
                        new Condition.BodyLacks("got ${w}"),
                        "BODY: step 's': the body contains 'got ${w}', which it must not"),
                new Case(new Condition.BodyMatches("no.thing"), "CHECK: step 's': the body does not match no.thing"),
                new Case(
                        new Condition.JsonEquals("$.a", "${v}"),
                        "CHECK: step 's': $.a is not the value that the step expects"),
                new Case(new Condition.JsonEquals("$.b", "x"), "CHECK: step 's': the body has no $.b"))) {
            var user = new User(with(Map.of("v", SECRET, "w", "it"), step("s", "/", c.condition)));
            user.request();
            user.answer("200 OK\r\nX-B: other", "{\"a\": \"got it\"}");
            assertThat(user.explained()).isEqualTo(c.problem).doesNotContain(SECRET, "other");
        }
    }

    @Test
    void conditionsThatHold() {
        var user = new User(with(
                Map.of("v", "it"),
                step(
                        "s",
                        "/",
                        new Condition.HeaderPresent("x-b"),
                        new Condition.HeaderEquals("X-B", "other ${v}"),
                        new Condition.HeaderMatches("X-B", "^oth"),
                        new Condition.BodyContains("got"),
                        new Condition.BodyContains("got ${v}"),
                        new Condition.BodyLacks("forgot"),
                        new Condition.BodyLacks("${v}it"),
                        new Condition.BodyMatches("g.t"),
                        new Condition.JsonEquals("$.a[0]", "got ${v}"),
                        new Condition.JsonEquals("$.n", "-1.50"))));
        user.request();
        user.answer("204 No\r\nX-B: other it", "");
        assertThat(user.explained()).startsWith("BODY");
        user.request();
        user.answer("200 OK\r\nX-B: other it", "{\"n\":-1.50,\"a\":[\"got it\"]}");
        assertThat(user.explained()).isEmpty();
    }

    @Test
    void aWrongStatusGoesBeforeEverythingElse() {
        var user = new User(Scenario.of(new Step(
                "s",
                "GET",
                "/",
                List.of(),
                Body.NONE,
                Set.of(303, 200),
                List.of(new Condition.BodyContains("x")),
                List.of(json("v", "$.v")),
                Think.NONE,
                false)));
        user.request();
        user.answer("404 Not found", "");
        assertThat(user.explained()).isEqualTo("STATUS: step 's': status 404, expected 200, 303");
    }

    @Test
    void aBodyThatIsTooLongIsSaidToBe() {
        var user = new User(Scenario.of(taking("s", json("v", "$.v"))));
        user.ok("{\"v\": 1, \"w\": \"" + "x".repeat(Scenario.MOST_BODY) + "\"}");
        assertThat(user.explained())
                .isEqualTo("CHECK: step 's': the body is longer than 1 MiB, the most that is searched");
        user.ok("{\"v\": 1}");
        assertThat(user.explained()).isEmpty();
    }

    /** The answer to a step that is to go on even if it fails, but whose value the next one needs. */
    private static Step goingOn(Extraction take) {
        return new Step("page", "GET", "/", List.of(), Body.NONE, Set.of(), List.of(), List.of(take), Think.NONE, true);
    }

    @Test
    void aWrongAnswerThatIsTooLongGivesNoValueOfAnIterationBefore() {
        var user = new User(Scenario.of(goingOn(json("v", "$.v")), Step.get("use", "/${v}")));
        user.ok("{\"v\": \"old\"}");
        assertThat(user.line()).isEqualTo("GET /old HTTP/1.1");
        user.answer("200 OK", "");
        user.request();
        assertThat(user.answer("503 Busy", "x".repeat(Scenario.MOST_BODY + 1))).isEqualTo(Script.END);
        assertThat(user.explained()).isEqualTo("STATUS: step 'page': status 503, expected 2xx");
        user.request();
        assertThat(user.answer("503 Busy", "{\"v\": \"new\"}")).isZero();
        assertThat(user.line()).isEqualTo("GET /new HTTP/1.1");
    }

    @Test
    void aWrongStatusStaysOneThoughTheExtractionTakesTooLong() {
        var endless = new Extraction("v", new Source.Regex("x*x*x*x*x*x*[yz]"));
        var user = new User(Scenario.of(goingOn(endless), Step.get("use", "/${v}")));
        user.request();
        assertThat(user.answer("500 Oh", "x".repeat(2000))).isEqualTo(Script.END);
        assertThat(user.explained()).isEqualTo("STATUS: step 'page': status 500, expected 2xx");
    }

    @Test
    void aRegularExpressionThatNeverEndsIsEnded() {
        var user = new User(Scenario.of(step("s", "/", new Condition.BodyMatches("x*x*x*x*x*x*[yz]"))));
        user.ok("x".repeat(2000));
        assertThat(user.explained()).isEqualTo("CHECK: step 's': the regular expression takes too long on this answer");
        var deep = new User(Scenario.of(step("s", "/", new Condition.BodyMatches("(a|b)*c"))));
        deep.ok("ab".repeat(100_000));
        assertThat(deep.explained()).startsWith("CHECK: step 's': the regular expression takes too long");
    }

    @Test
    void afterAFailureTheIterationEndsUnlessItIsToGoOn() {
        Step first = step("first", "/1", new Condition.BodyContains("x"));
        Step goOn = new Step(
                "first", "GET", "/1", List.of(), Body.NONE, Set.of(), first.conditions(), List.of(), Think.NONE, true);
        var ending = new User(Scenario.of(first, Step.get("second", "/2")));
        assertThat(ending.ok("")).isEqualTo(Script.END);
        assertThat(ending.line()).contains("/1");
        var going = new User(Scenario.of(goOn, Step.get("second", "/2")));
        assertThat(going.ok("")).isZero();
        assertThat(going.line()).contains("/2");
        assertThat(going.fail()).isEqualTo(Script.END);
        assertThat(going.fail()).isZero();
        assertThat(going.line()).contains("/2");
    }

    @Test
    void thinkTimesLieInTheirRangeAndRepeatWithTheSeed() {
        var think = new Think(Duration.ofNanos(5), Duration.ofNanos(9));
        Step first = new Step("a", "GET", "/", List.of(), Body.NONE, Set.of(), List.of(), List.of(), think, false);
        List<Long> one = thinks(new User(Scenario.of(first, Step.get("b", "/"))));
        assertThat(one).allMatch(t -> t >= 5 && t <= 9).contains(5L, 9L);
        assertThat(thinks(new User(Scenario.of(first, Step.get("b", "/"))))).isEqualTo(one);
    }

    private static List<Long> thinks(User user) {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(user.ok(""));
            user.ok("");
        }
        return all;
    }

    @Test
    void flowsAreChosenByWeight() {
        var flows = List.of(
                new Flow("often", 3, List.of(Step.get("a", "/a"), Step.get("b", "/b"))),
                new Flow("seldom", 1, List.of(Step.get("c", "/c"))));
        var scenario = new Scenario(flows, List.of(), Map.of(), false, 5);
        assertThat(scenario.stepCount()).isEqualTo(3);
        var user = new User(scenario);
        int[] counts = new int[3];
        for (int i = 0; i < 4000; i++) {
            int step = user.step();
            counts[step]++;
            assertThat(user.line()).isEqualTo("GET /" + (char) ('a' + step) + " HTTP/1.1");
            user.answer("200 OK", "");
        }
        assertThat(counts[0]).isBetween(counts[1], counts[1] + 1);
        assertThat((double) counts[0] / counts[2]).isBetween(2.5, 3.5);
    }

    @Test
    void rowsAreTakenInOrderByChanceOrByUser() {
        List<List<String>> rows = List.of(List.of("a", "1"), List.of("b", "2"), List.of("c", "3"));
        Step step = Step.get("s", "/${name}/${no}");
        assertThat(lines(with(new Feed("f", List.of("name", "no"), rows, Order.SEQUENTIAL), step)))
                .containsExactly("/a/1", "/b/2", "/c/3", "/a/1", "/b/2", "/c/3");
        assertThat(lines(with(new Feed("f", List.of("name", "no"), rows, Order.USER), step)))
                .containsExactly("/a/1", "/b/2", "/a/1", "/b/2", "/a/1", "/b/2");
        List<String> random = lines(with(new Feed("f", List.of("name", "no"), rows, Order.RANDOM), step));
        assertThat(random)
                .isSubsetOf("/a/1", "/b/2", "/c/3")
                .isEqualTo(lines(with(new Feed("f", List.of("name", "no"), rows, Order.RANDOM), step)));
    }

    /** Two users by turns. */
    private static List<String> lines(Scenario scenario) {
        var compiled = CompiledScenario.of(scenario, "h", true, new Http1Head());
        List<User> users = List.of(new User(compiled, 0), new User(compiled, 1));
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            lines.add(users.get(i % 2).line().split(" ")[1]);
            users.get(i % 2).answer("200 OK", "");
        }
        return lines;
    }

    @Test
    void cookiesLastAsLongAsTheIterationUnlessTheyAreKept() {
        Step plain = Step.get("a", "/shop/in");
        Step own = new Step(
                "b",
                "GET",
                "/shop/x?/y",
                List.of(new Header("Cookie", "own=${user}")),
                Body.NONE,
                Set.of(),
                List.of(),
                List.of(),
                Think.NONE,
                false);
        for (boolean keep : new boolean[] {false, true}) {
            var user = new User(
                    new Scenario(List.of(new Flow("f", 1, List.of(plain, own))), List.of(), Map.of(), keep, 1));
            assertThat(user.header("Cookie")).isEmpty();
            user.answer("200 OK\r\nSet-Cookie: sid=1; Path=/; HttpOnly\r\nset-cookie: deep=2", "");
            assertThat(user.header("Cookie")).isEqualTo("own=1; deep=2; sid=1");
            user.answer("200 OK\r\nSet-Cookie: deep=; Max-Age=0", "");
            assertThat(user.header("Cookie")).isEqualTo(keep ? "sid=1" : "");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "a! /${x}! step 's': ${x} has no value here: it is neither a variable, nor a column of the data, nor taken"
                        + " from an answer by a step before this one",
                "a! /${v|up}! step 's': no filter 'up': raw, url, json and path are there",
                "a! /${v! step 's': '${' without '}' (for the characters themselves write $${)",
                "a! x! step 's': its path must begin with '/' (a value that is a path: ${name|path})",
                "a! ${v}! step 's': its path must begin with '/' (a value that is a path: ${name|path})",
                "a! /a b! step 's': its path must be printable ASCII without blanks (escape the rest as %XX)",
                "a b! /${v|raw}! step 's': variable v has characters which cannot go into a path unescaped",
            })
    void aBadPathIsRefusedBeforeTheRun(String value, String path, String problem) {
        assertThatThrownBy(() -> new User(with(Map.of("v", value), step("s", path))))
                .hasMessage(problem);
    }

    @Test
    void whatElseIsRefusedBeforeTheRun() {
        refused("a scenario needs at least one flow", new Scenario(List.of(), List.of(), Map.of(), false, 1));
        refused("flow main needs at least one step", Scenario.of());
        refused("two steps of a flow are named 'a'", Scenario.of(Step.get("a", "/"), Step.get("a", "/")));
        refused(
                "step 'a': ${id} has no value here: it is neither a variable, nor a column of the data, nor taken from an"
                        + " answer by a step before this one",
                Scenario.of(Step.get("a", "/${id}"), taking("b", json("id", "$.id"))));
        refused("step 'b': ${user} has two sources", Scenario.of(taking("b", json("user", "$.id"))));
        refused(
                "step 'b': '$..id' is no JSON path of members and indexes, such as $.items[0].id",
                Scenario.of(taking("b", json("id", "$..id"))));
        refused(
                "step 'b': '(' is no regular expression: Unclosed group",
                Scenario.of(taking("b", new Extraction("x", new Source.Regex("(")))));
        refused(
                "step 'post': value of header X has characters which cannot be sent",
                Scenario.of(post("/", List.of(new Header("X", "a\nb")), Body.NONE)));
        refused(
                "step 'post': variable v has a line break or another control character, which cannot go into a header",
                with(Map.of("v", "a\nb"), post("/", List.of(new Header("X", "${v}")), Body.NONE)));
        refused(
                "users.csv, row 2: the value of name has a line break or another control character, which cannot go into a"
                        + " header",
                with(
                        new Feed(
                                "users.csv",
                                List.of("name"),
                                List.of(List.of("a"), List.of(SECRET + "\r\n")),
                                Order.USER),
                        post("/", List.of(new Header("X", "${name}")), Body.NONE)));
        refused(
                "users.csv, row 1: 1 values for 2 columns",
                with(new Feed("users.csv", List.of("a", "b"), List.of(List.of("x")), Order.USER), Step.get("s", "/")));
        refused(
                "users.csv has no rows",
                with(new Feed("users.csv", List.of("a"), List.of(), Order.USER), Step.get("s", "/")));
        refused(
                "step 's': the answer to HEAD has no body to look into",
                Scenario.of(new Step(
                        "s",
                        "HEAD",
                        "/",
                        List.of(),
                        Body.NONE,
                        Set.of(),
                        List.of(new Condition.BodyContains("x")),
                        List.of(),
                        Think.NONE,
                        false)));
        refused(
                "step 's' is its flow's last, so there is nothing to think before",
                Scenario.of(new Step(
                        "s",
                        "GET",
                        "/",
                        List.of(),
                        Body.NONE,
                        Set.of(),
                        List.of(),
                        List.of(),
                        new Think(Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        false)));
    }

    private static void refused(String problem, Scenario scenario) {
        assertThatThrownBy(() -> new User(scenario))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem)
                .hasMessageNotContaining(SECRET);
    }
}
