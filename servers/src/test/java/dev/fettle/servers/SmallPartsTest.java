package dev.fettle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.servers.app.App;
import dev.fettle.servers.app.CountedApp;
import dev.fettle.servers.app.CpuBurner;
import dev.fettle.servers.app.Forms;
import dev.fettle.servers.settings.Knobs;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Units;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmallPartsTest {

    @Test
    void everyServerOfTheTableOfKnobsCanBeStarted() {
        assertThat(Servers.values())
                .extracting(s -> s.name().toLowerCase(Locale.ROOT))
                .containsExactlyInAnyOrderElementsOf(Knobs.servers());
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "0.2ms,200000",
        "50ms,50000000",
        "3us,3000",
        "3µs,3000",
        "7ns,7",
        "1.5s,1500000000",
        "1MS,1000000",
        "1 ms,1000000",
        "1m,60000000000",
        "1h,3600000000000"
    })
    void durations(String text, long nanos) throws LaunchFailure {
        assertThat(Units.duration("d", text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "-1ms", "1  ms", "61m", "2h", "1d", "ms", "4000s", "1e3ms"})
    void notDurations(String text) {
        assertThatThrownBy(() -> Units.duration("d", text)).isInstanceOf(LaunchFailure.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "1892,1892",
        "64k,65536",
        "64K,65536",
        "64kb,65536",
        "64KB,65536",
        "0.5k,512",
        "2m,2097152",
        "2mb,2097152",
        "10b,10",
        "256m,268435456",
        "0g,0",
        "0tb,0"
    })
    void sizes(String text, int bytes) throws LaunchFailure {
        assertThat(Units.bytes("b", text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1g", "257m", "99999999999", "k", "1kib"})
    void notSizes(String text) {
        assertThatThrownBy(() -> Units.bytes("b", text)).isInstanceOf(LaunchFailure.class);
    }

    @Test
    void formsAndCookies() {
        assertThat(Forms.parse("a=1&b=x+y%21&c&bad=%zz&=e"))
                .containsEntry("a", "1")
                .containsEntry("b", "x y!")
                .containsEntry("c", "")
                .doesNotContainKey("bad");
        assertThat(Forms.cookie("a=1; FETTLE=2;x=3", "FETTLE")).isEqualTo("2");
        assertThat(Forms.cookie("XFETTLE=2", "FETTLE")).isNull();
        assertThat(Forms.cookie(null, "FETTLE")).isNull();
    }

    @Test
    void burningDependsOnEveryIterationAndScalesWithTheTime() {
        assertThat(CpuBurner.burn(7, 10)).isNotEqualTo(CpuBurner.burn(7, 11)).isEqualTo(CpuBurner.burn(7, 10));
        CpuBurner burner = CpuBurner.calibrated(500_000, true);
        assertThat(burner.iterations(Duration.ofNanos(200_000))).isEqualTo(100_000);
        assertThat(burner.iterations(Duration.ZERO)).isZero();
        assertThat(burner.iterations(Duration.ofHours(1)))
                .as("as much as an int holds")
                .isPositive();
        assertThat(CpuBurner.calibrated(0, true).iterationsPerMilli()).isGreaterThan(1_000);
    }

    @Test
    void theInFlightCountEndsAtZeroAlsoWhenTheApplicationThrows() {
        CountedApp app = new CountedApp(request -> {
            throw new IllegalStateException("no luck");
        });
        App.Response response = app.handle(new NoRequest());
        assertThat(response.status()).isEqualTo(500);
        assertThat(new String(response.body())).contains("no luck");
        assertThat(app.inFlight()).isZero();
        assertThat(app.finished()).isEqualTo(1);
    }

    private record NoRequest() implements App.Request {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String query() {
            return "";
        }

        @Override
        public String header(String name) {
            return null;
        }

        @Override
        public byte[] body() {
            return new byte[0];
        }
    }
}
