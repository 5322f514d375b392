package dev.fettle.watch.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLogTest {
    private static final Instant BEGIN = Instant.parse("2026-11-29T02:00:00Z");
    private static final Offset<Double> NEAR = Offset.offset(1e-3);

    private static String at(int second) {
        return DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT)
                .withZone(ZoneOffset.ofHours(1))
                .format(BEGIN.plusSeconds(second));
    }

    private static AccessLog read(String text, String unit) throws IOException {
        return AccessLog.read(
                () -> new BufferedReader(new StringReader(text)),
                Instant.MIN,
                Instant.MAX,
                Optional.of(unit).filter(u -> !u.isEmpty()));
    }

    /** A hundred requests, one a second; the pattern's AT is the time. */
    private static String log(String pattern, IntFunction<Object> time) {
        return IntStream.range(0, 100)
                .mapToObj(i -> pattern.replace("AT", at(i)).replace("TIME", String.valueOf(time.apply(i))))
                .collect(Collectors.joining("\n"));
    }

    /** What servers and proxies write, each request of 30 ms in the mean. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1 - bob [AT] \"GET /a HTTP/1.1\" 200 12 TIME",
                "10.0.0.1 - - [AT] \"GET /a HTTP/1.1\" 200 - TIME",
                "10.0.0.1 - - [AT] \"GET /a HTTP/1.1\" 200 12 \"http://x/?a=b\" \"Mozilla \\\"5\\\" (X11; [en])\" TIME",
                "10.0.0.1 - - [AT] \"GET /a HTTP/1.1\" 200 12 \"-\" \"-\" http-nio-8080-exec-7 TIME",
                "TIME_FIRST 10.0.0.1 [AT] took=TIMEms \"GET /a HTTP/1.1\" 200 12",
                "10.0.0.1 [AT] GET /a HTTP/1.1 200 12 TIME",
                "10.0.0.1 [AT] \"GET /a HTTP/1.1\" 200 12 request_time_ms=TIME"
            })
    void timesInMilliseconds(String pattern) throws IOException {
        AccessLog log = read(log(pattern.replace("TIME_FIRST ", ""), i -> 10 + i * 40 / 99), "");
        assertThat(log.requests()).isEqualTo(100);
        assertThat(log.unread()).isZero();
        assertThat(log.noTimes()).isEmpty();
        assertThat(log.mean()).isCloseTo(0.0297, NEAR);
        assertThat(log.from()).isEqualTo(BEGIN);
    }

    /** Whole numbers are milliseconds or microseconds as their size allows only one; else it is asked. */
    @ParameterizedTest
    @CsvSource({
        "5,     ''",
        "300,   'its whole numbers may be milliseconds or microseconds: --time-in ms or us says which'",
        "30000, ''"
    })
    void theUnitOfWholeNumbers(int least, String unclear) throws IOException {
        String text = log("10.0.0.1 - - [AT] \"GET /a HTTP/1.1\" 200 12 TIME", i -> least + i);
        AccessLog log = read(text, "");
        assertThat(log.noTimes()).isEqualTo(unclear);
        if (least == 5) {
            assertThat(log.mean()).isCloseTo(0.0545, NEAR);
        } else if (least == 30_000) {
            assertThat(log.mean()).isCloseTo(0.03005, NEAR);
        } else {
            assertThat(log.mean()).isNaN();
            assertThat(log.timeline(false).find(Signals.REQUESTS_UNDER_WAY)).isEmpty();
            assertThat(log.timeline(false).why(Signals.REQUESTS_UNDER_WAY)).contains("--time-in");
            assertThat(read(text, "us").mean()).isCloseTo(0.00035, Offset.offset(1e-5));
            assertThat(read(text, "ms").mean()).isCloseTo(0.3495, NEAR);
        }
    }

    /** nginx: seconds, of which the upstream's are a part; retried upstreams are added up, and a request without one has a dash. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.100 0.080|0.08",
                "\"0.100\" \"0.080\"|0.08",
                "0.100 0.030, 0.050|0.08",
                "0.100 \"0.030 : 0.050\"|0.08",
                "rt=0.100 uct=0.001 uht=0.070 urt=0.080|0.08",
                "rt=0.100 uct=\"0.001\" uht=\"0.070\" urt=\"0.030, 0.050\"|0.08"
            })
    void whatNginxWaitsFor(String times, double behind) throws IOException {
        AccessLog log = read(log("10.0.0.1 - - [AT] \"GET /a HTTP/1.1\" 200 12 \"-\" \"curl\" " + times, i -> ""), "");
        assertThat(log.knowsBehind()).isTrue();
        Timeline t = log.timeline(true);
        assertThat(t.mean(Signals.FRONT_RATE).getAsDouble()).isEqualTo(1);
        assertThat(t.mean(Signals.FRONT_UNDER_WAY).getAsDouble()).isCloseTo(0.1, NEAR);
        assertThat(t.mean(Signals.FRONT_BEHIND).getAsDouble()).isCloseTo(behind, NEAR);
    }

    /** Tomcat's %D and %F, in either order: the answer was being written for the rest. */
    @ParameterizedTest
    @ValueSource(strings = {"TIME 10", "10 TIME"})
    void timeToTheFirstByte(String order) throws IOException {
        AccessLog log = read(log("10.0.0.1 - - [AT] \"GET /a HTTP/1.1\" 200 12 " + order, i -> 10 + i % 2 * 1000), "");
        assertThat(log.knowsBehind()).isFalse();
        Timeline t = log.timeline(false);
        assertThat(t.mean(Signals.REQUESTS_UNDER_WAY).getAsDouble()).isCloseTo(0.51, NEAR);
        assertThat(t.mean(Signals.REQUESTS_WRITING).getAsDouble()).isCloseTo(0.5, NEAR);
        assertThat(t.sum(Signals.REQUESTS_SLOW).getAsDouble()).isCloseTo(50, Offset.offset(0.01));
    }

    /** Tomcat 10.1: %D in microseconds, %F in milliseconds; of others both are in microseconds. */
    @ParameterizedTest
    @CsvSource({"50000 49, 0.001", "50000 49000, 0.001", "50000 10000, 0.04"})
    void twoUnits(String times, double writing) throws IOException {
        Timeline t = read(log("10.0.0.1 - - [AT] \"GET /a HTTP/1.1\" 200 12 " + times, i -> ""), "")
                .timeline(false);
        assertThat(t.mean(Signals.REQUESTS_UNDER_WAY).getAsDouble()).isCloseTo(0.05, NEAR);
        assertThat(t.mean(Signals.REQUESTS_WRITING).getAsDouble()).isCloseTo(writing, NEAR);
    }

    @Test
    void statusesAreCounted() throws IOException {
        AccessLog log = read(
                log("10.0.0.1 - - [AT] \"GET /a/TIME?token=hunter2 HTTP/1.1\" CODE 12", i -> i)
                        .lines()
                        .map(l -> l.replace("CODE", l.contains("/a/7") ? "503" : l.contains("/a/8") ? "404" : "200"))
                        .collect(Collectors.joining("\n")),
                "");
        Timeline t = log.timeline(false);
        assertThat(t.mean(Signals.REQUESTS_FAILED).getAsDouble()).isCloseTo(0.11, NEAR);
        assertThat(t.mean(Signals.REQUESTS_ERRORS).getAsDouble()).isCloseTo(0.22, NEAR);
        assertThat(t.sightings(Sighting.PATH_FAILED)).singleElement().satisfies(s -> {
            assertThat(s.what()).isEqualTo("/a/*");
            assertThat(s.count()).isEqualTo(11);
            assertThat(s.detail()).isEqualTo("status 503");
        });
        assertThat(t.toString()).doesNotContain("hunter2");
        assertThat(log.noTimes()).contains("%D");
    }

    /** A connection that became a WebSocket stays open; lines that are no requests don't count. */
    @Test
    void webSocketsAndOtherLines() throws IOException {
        AccessLog log = read(
                log("10.0.0.1 - - [AT] \"GET /ws HTTP/1.1\" 101 12 TIME", i -> i == 0 ? 5 : 600_000)
                        + "\nsomething else\n\n"
                        + "10.0.0.1 - - [" + at(3) + "] \"\\x16\\x03\\x01\" 400 12 7\n",
                "ms");
        assertThat(log.requests()).isEqualTo(101);
        assertThat(log.unread()).isEqualTo(1);
        assertThat(log.timeline(false).sum(Signals.REQUESTS_SLOW).getAsDouble()).isZero();
    }

    /** Three years at a request a day: as many points as any, and all requests in them. */
    @Test
    void aLongLogIsBounded() throws IOException {
        String text = IntStream.range(0, 1000)
                .mapToObj(i -> "10.0.0.1 - - [" + at(i * 86_400) + "] \"GET / HTTP/1.1\" 200 12 7")
                .collect(Collectors.joining("\n"));
        Timeline t = read(text, "ms").timeline(false);
        assertThat(t.points()).isLessThanOrEqualTo(Timeline.MOST_POINTS);
        assertThat(t.mean(Signals.REQUESTS_RATE).getAsDouble() * t.points() * t.stepMillis() / 1e3)
                .isCloseTo(1000, Offset.offset(10.0));
    }

    @ParameterizedTest
    @CsvSource({
        "/shop/cart,                        /shop/cart",
        "/shop/cart?id=7,                   /shop/cart",
        "/shop/cart;jsessionid=ABC,         /shop/cart",
        "/orders/4711/items,                /orders/*/items",
        "/u/550e8400-e29b-41d4-a716-446655440000, /u/*",
        "/reset/ab12cd34ef,                 /reset/*",
        "/mail/bob@example.org,             /mail/*",
        "http://h.example/x#y,              /x",
        "/v1/a/b/c/d/e/f/g,                 /v1/a/b/c/d/*",
        "*,                                 *"
    })
    void aPathHasNothingOfOneRequest(String asked, String path) {
        assertThat(AccessLine.path(asked)).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "\"",
                "10.0.0.1 - - [29/Nov/2026:10:38:00 +0000]",
                "10.0.0.1 - - [99/Nov/2026:10:38:00 +0000] \"GET / HTTP/1.1\" 200 1",
                "10.0.0.1 - - [29/Nov/2026:10:38:00 +0000] \"GET / HTTP/1.1\" 999 1",
                "2026-11-29T10:38:00 INFO GET / 200"
            })
    void whatIsNoLine(String line) {
        assertThat(AccessLine.read(line)).isEmpty();
    }

    /** Linear in its length, whatever is in it. */
    @ParameterizedTest
    @ValueSource(strings = {"\"", "[", "=\"", ",  ", "\\", " ", "/"})
    void hostileLines(String piece) {
        String line = "10.0.0.1 [29/Nov/2026:10:38:00 +0000] " + piece.repeat(1_000_000 / piece.length());
        assertThat(AccessLine.read(line)).isEmpty();
    }

    @Test
    void noLineAtAll() {
        assertThatThrownBy(() -> read("a\nb\n", "")).hasMessageContaining("no line of it");
    }
}
