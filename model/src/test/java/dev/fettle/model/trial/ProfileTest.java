package dev.fettle.model.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileTest {
    private static Profile of(int n, IntFunction<List<String>> stack) {
        var builder = new Profile.Builder();
        for (int i = 0; i < n; i++) {
            builder.add(stack.apply(i), 1);
        }
        return builder.build(Profile.Kind.CPU, "a profiler", 10);
    }

    /** The weight of the stacks with a frame on it. */
    private static double with(Profile p, String frame) {
        return p.hottest(Integer.MAX_VALUE).stream()
                .filter(f -> f.name().equals(frame))
                .mapToDouble(Profile.Frame::total)
                .sum();
    }

    /** However many stacks there are, and however deep they go in the JDK, their callers keep their weight. */
    @ParameterizedTest
    @CsvSource({"100", "2001", "20000", "120000"})
    void lightStacksAreCutToTheirCallers(int n) {
        Profile p = of(n, i -> {
            var stack = new ArrayList<>(List.of("T.run", "app.Way" + i + ".go", "app.Parser.parse"));
            stack.add("java.util.regex.Pattern.match" + i);
            return stack;
        });
        assertThat(p.total()).isEqualTo(n);
        assertThat(p.untold()).isZero();
        assertThat(with(p, "app.Parser.parse")).isCloseTo(n, within(1e-6));
        assertThat(p.stacks()).hasSizeLessThanOrEqualTo(4_001);
        assertThat(p.stacks().stream().mapToDouble(Profile.Stack::weight).sum()).isCloseTo(n, within(1e-6));
    }

    /** Where an exception is made is inside the caller: it stays, if there is room. */
    @Test
    void whatTheCallerCallsStaysIfThereIsRoom() {
        Profile p = of(
                20_000,
                i -> List.of("T.run", "app.Way" + i + ".go", "app.Shop.find", "java.lang.Throwable.fillInStackTrace"));
        assertThat(with(p, "java.lang.Throwable.fillInStackTrace")).isCloseTo(20_000, within(1e-6));
    }

    @Test
    void ofTooManyCallersTheLightestAreUntold() {
        Profile p = of(200_000, i -> List.of("T.run", "app.Page" + i + ".get"));
        assertThat(p.total()).isEqualTo(200_000);
        assertThat(p.untold()).isGreaterThan(190_000).isLessThan(200_000);
        assertThat(with(p, Profile.Builder.OTHERS))
                .as("the cut ones are under it")
                .isGreaterThan(p.untold());
    }

    @ParameterizedTest
    @CsvSource({
        "app.Page.get, 0",
        "T.run|app.Page.get|java.util.regex.Pattern.match|do_futex [kernel], 1",
        "T.run|[waits: a lock], 0",
        "java.lang.Thread.run|clock_gettime [libc], -1",
        "GCTaskThread::run() [libjvm], -1",
        "'', -1",
    })
    void theCallerIsTheInnermostMethodOutsideTheJdk(String stack, int place) {
        List<String> frames = stack.isEmpty() ? List.of() : List.of(stack.split("[|]"));
        assertThat(StackFrames.caller(frames)).isEqualTo(place);
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.Throwable.fillInStackTrace, true",
        "java.lang.Throwable, true",
        "java.lang.StackTraceElement.of, true",
        "java.lang.ThrowableKinds.of, false",
        "java.lang.Exception.<init>, false",
        "app.Throwable.of, false",
    })
    void whatCreatesAnException(String frame, boolean throwing) {
        assertThat(StackFrames.throwing(frame)).isEqualTo(throwing);
    }

    @ParameterizedTest
    @CsvSource({
        "org.apache.tomcat.util.net.SecureNioChannel.tasks, true",
        "org.apache.tomcat.util.net.openssl.OpenSSLEngine.wrap, true",
        "org.eclipse.jetty.io.ssl.SslConnection.fill, true",
        "io.undertow.protocols.ssl.SslConduit.read, true",
        "sun.security.ssl.SSLEngineImpl.wrap, true",
        "io.netty.handler.ssl.SslHandler.unwrap, true",
        "org.apache.coyote.http11.Http11Processor.service, false",
    })
    void whatIsTls(String frame, boolean tls) {
        assertThat(StackFrames.isTls(frame)).isEqualTo(tls);
    }
}
