package dev.fettle.model.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final Load TEN = new Load(
            10,
            true,
            Load.Request.get("/"),
            Load.Expect.OK,
            Duration.ofSeconds(30),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            1,
            Arrivals.Closed.BACK_TO_BACK,
            Wire.PLAIN,
            Optional.empty());

    private static Wire wire(Protocol protocol, int inFlight) {
        return new Wire(protocol, inFlight, Optional.empty(), TransportKind.AUTO, List.of());
    }

    @Test
    void clientsAreConnectionsTimesWhatIsInFlightOnEach() {
        assertThat(TEN.clients()).isEqualTo(10);
        assertThat(TEN.withWire(wire(Protocol.HTTP_2, 100)).clients()).isEqualTo(1000);
        assertThat(TEN.withWire(wire(Protocol.HTTP_2, 100)).atOnce()).isEqualTo(1000);
        assertThat(TEN.withWire(wire(Protocol.WEB_SOCKET_TEXT, 4)).atOnce()).isEqualTo(40);
    }

    @Test
    void aPipelinedConnectionKeepsOneWorkerBusy() {
        Load pipelined = TEN.withWire(wire(Protocol.HTTP_1_1, 16));
        assertThat(pipelined.clients()).isEqualTo(160);
        assertThat(pipelined.atOnce()).isEqualTo(10);
    }

    @Test
    void thinkTimeIsThePauseOfAClientPerRequest() {
        assertThat(TEN.thinkSeconds()).isZero();
        Load thinks = TEN.withArrivals(new Arrivals.Closed(Duration.ofMillis(500)));
        assertThat(thinks.thinkSeconds()).isEqualTo(0.5);
        assertThat(TEN.withArrivals(Arrivals.Open.constant(100)).thinkSeconds()).isZero();
        // two requests with 1 to 3 s between them, then half a second before the next iteration; and one request alone
        var both = new Scenario.Flow("both", 1, List.of(step(1, 3), step(0, 0)));
        var one = new Scenario.Flow("one", 2, List.of(step(0, 0)));
        var scenario = new Scenario(List.of(both, one), List.of(), Map.of(), false, 1);
        assertThat(thinks.withScenario(scenario).thinkSeconds()).isCloseTo((2 + 0.5 + 2 * 0.5) / 4, within(1e-9));
    }

    @Test
    void anArrivalOfAScenarioMakesAsManyRequestsAsItsFlowHasSteps() {
        assertThat(TEN.requestsAtMost()).isOne();
        var three = new Scenario.Flow("three", 1, List.of(step(1, 3), step(0, 2), step(0, 0)));
        var one = new Scenario.Flow("one", 3, List.of(step(0, 0)));
        var scenario = new Scenario(List.of(three, one), List.of(), Map.of(), false, 1);
        assertThat(scenario.requests()).isEqualTo(1.5);
        assertThat(scenario.pauses()).isEqualTo(0.75);
        assertThat(TEN.withScenario(scenario).requestsAtMost()).isEqualTo(3);
    }

    private static Scenario.Step step(int from, int to) {
        return new Scenario.Step(
                "s",
                "GET",
                "/",
                Map.of(),
                Optional.empty(),
                Map.of(),
                Set.of(),
                List.of(),
                List.of(),
                Duration.ofSeconds(from),
                Duration.ofSeconds(to),
                false);
    }
}
