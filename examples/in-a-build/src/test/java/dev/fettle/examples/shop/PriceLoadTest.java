package dev.fettle.examples.shop;

import dev.fettle.junit.BenchResult;
import dev.fettle.junit.Fettle;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class PriceLoadTest {
    @LocalServerPort
    int port;

    @Test
    void staysQuick() {
        BenchResult result = Fettle.bench("http://127.0.0.1:" + port + "/price")
                .connections(4)
                .duration(Duration.ofSeconds(5))
                .contains("12.50")
                .slo(System.getProperty("shop.slo", "p99<500ms,errors<0.1%"))
                .run();
        System.out.println("staysQuick: " + result);
    }

    /** An error page is fast, too. */
    @Test
    void aPageThatIsMissingSaysNothing() {
        Fettle.bench("http://127.0.0.1:" + port + "/no-such-page")
                .requests(100)
                .slo("p99<500ms")
                .run();
    }
}
