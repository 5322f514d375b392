package dev.fettle.model.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridPointsTest {
    private static final Target.Embedded PAYLOAD =
            new Target.Embedded(ServerKind.JETTY, "payload", Map.of("bytes", "21"), Optional.empty(), Target.Jvm.SAME);
    private static final Load LOAD = new Load(
            10,
            true,
            Load.Request.get("/"),
            Load.Expect.OK,
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofSeconds(1),
            1,
            Arrivals.Closed.BACK_TO_BACK,
            Wire.PLAIN,
            Optional.empty());
    private static final GridPoints.Parts PARTS = new GridPoints.Parts(PAYLOAD, Setting.of("backlog", "5"), LOAD);

    @Test
    void theLastDimensionIsTheFastest() {
        var grid = GridPoints.grid(List.of(
                new Dimension("threads.max", List.of("4", "6")),
                new Dimension("load.keep-alive", List.of("false", "true"))));

        assertThat(grid)
                .map(Map::toString)
                .containsExactly(
                        "{threads.max=4, load.keep-alive=false}",
                        "{threads.max=4, load.keep-alive=true}",
                        "{threads.max=6, load.keep-alive=false}",
                        "{threads.max=6, load.keep-alive=true}");
    }

    @Test
    void noDimensionIsOnePoint() {
        assertThat(GridPoints.grid(List.of())).containsExactly(Map.of());
    }

    @Test
    void appliesEachKindOfDimension() {
        assertThat(GridPoints.apply("load.connections", "500", PARTS))
                .isEqualTo(new GridPoints.Parts(PAYLOAD, PARTS.setting(), LOAD.withConnections(500)));
        assertThat(GridPoints.apply("load.keep-alive", "false", PARTS))
                .isEqualTo(new GridPoints.Parts(PAYLOAD, PARTS.setting(), LOAD.withKeepAlive(false)));
        assertThat(GridPoints.apply("load.path", "/a?b", PARTS))
                .isEqualTo(new GridPoints.Parts(PAYLOAD, PARTS.setting(), LOAD.withPath("/a?b")));
        assertThat(GridPoints.apply("app.bytes", "1k", PARTS))
                .isEqualTo(new GridPoints.Parts(PAYLOAD.withOption("bytes", "1024"), PARTS.setting(), LOAD));
        assertThat(GridPoints.apply("app.bytes", "0", PARTS).load().expect())
                .as("a page of no bytes is empty, and right")
                .isEqualTo(new Load.Expect(200, OptionalInt.of(0), Optional.empty()));
        assertThat(GridPoints.apply("backlog", "7", PARTS).setting()).isEqualTo(Setting.of("backlog", "7"));
        assertThat(GridPoints.apply(Map.of("threads.max", "9", "load.connections", "3"), PARTS))
                .isEqualTo(new GridPoints.Parts(
                        PAYLOAD, PARTS.setting().with("threads.max", "9"), LOAD.withConnections(3)));
    }

    @Test
    void variesEveryPropertyOfTheLoad() {
        Load posted = LOAD.withRequest(new Load.Request("POST", "/", Map.of(), Optional.of("old")))
                .withExpect(Load.Expect.OK);
        var login = new Target.Embedded(
                ServerKind.TOMCAT, "login", Map.of(), Apps.defaultBackend("login"), Target.Jvm.SAME);
        var parts = new GridPoints.Parts(login, Setting.DEFAULT, posted);

        assertThat(GridPoints.apply("load.think", "0.5s", parts).load().thinkSeconds())
                .isEqualTo(0.5);
        assertThat(GridPoints.apply("load.in-flight", "8", parts).load().clients())
                .isEqualTo(80);
        assertThat(GridPoints.apply("load.protocol", "h2", parts).load().wire().protocol())
                .isEqualTo(Protocol.HTTP_2);
        assertThat(GridPoints.apply("load.request-bytes", "1k", parts).load().request())
                .isEqualTo(new Load.Request("POST", "/", Map.of(), Optional.of("x".repeat(1024))));
        assertThat(GridPoints.apply(Map.of("backend.delay", "20ms", "backend.bytes", "2k"), parts)
                        .target())
                .isEqualTo(new Target.Embedded(
                        ServerKind.TOMCAT,
                        "login",
                        Map.of(),
                        Optional.of(new Target.Backend(Duration.ofMillis(20), 2048)),
                        Target.Jvm.SAME));
        var open = new GridPoints.Parts(login, Setting.DEFAULT, LOAD.withArrivals(Arrivals.Open.constant(100)));
        assertThat(GridPoints.apply("load.rate", "2.5k/s", open).load())
                .isEqualTo(LOAD.withArrivals(Arrivals.Open.constant(2500)));
    }

    @Test
    void oneValueHasOneName() {
        assertThat(GridPoints.canonical("load.rate", "2.5k", PAYLOAD)).isEqualTo("2500/s");
        assertThat(GridPoints.canonical("load.rate", "90/m", PAYLOAD)).isEqualTo("1.5/s");
        assertThat(GridPoints.canonical("load.think", "0.05s", PAYLOAD)).isEqualTo("50ms");
        assertThat(GridPoints.canonical("load.request-bytes", "1k", PAYLOAD)).isEqualTo("1024");
    }

    @ParameterizedTest
    @CsvSource({
        "load.keep-alive,false,load.in-flight,4,need load.keep-alive: true",
        "load.keep-alive,false,load.protocol,h2,needs load.keep-alive: true",
    })
    void refusesValuesThatDoNotGoTogether(String a, String x, String b, String y, String message) {
        assertThatThrownBy(() -> GridPoints.apply(Map.of(a, x, b, y), PARTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThat(GridPoints.apply(Map.of(a, "true", b, y), PARTS).load().keepAlive())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "load.rate,100/s,'load.rate varies the rate of an open load, and this one is closed'",
        "load.request-bytes,10,a GET request has no body",
        "load.think,2h,load.think is at most 1h",
        "load.in-flight,0,load.in-flight is a whole number from 1 to 10000",
        "load.protocol,h3,load.protocol is http/1.1 or h2",
        "backend.delay,5ms,no backend to vary",
        "load.thinks,5ms,did you mean 'load.think'?",
        "load.connection,5,did you mean 'load.connections'?",
        "maxThreads,5,did you mean 'threads.max'?",
        "app.cpu,1ms,the payload app has no option 'cpu'; it has bytes, type",
        "load.connections,x,load.connections is a whole number",
        "load.keep-alive,on,load.keep-alive is true or false",
        "load.path,a,a path starts with",
        "load.path,a?sid=hunter2,holds no blanks: 'a?sid=***'",
        "threads.max,0,threads.max=0 is out of range"
    })
    void refusesWhatDoesNotExistOrFit(String name, String value, String message) {
        assertThatThrownBy(() -> GridPoints.apply(name, value, PARTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void onlySampleAppsHaveOptions() {
        var parts = new GridPoints.Parts(new Target.Url(URI.create("http://127.0.0.1:1")), Setting.DEFAULT, LOAD);

        assertThatThrownBy(() -> GridPoints.apply("app.bytes", "1", parts))
                .hasMessageContaining("needs an embedded target");
        assertThat(GridPoints.known("app.bytes", parts.target())).isFalse();
        assertThat(GridPoints.known("app.bytes", PAYLOAD)).isTrue();
    }
}
