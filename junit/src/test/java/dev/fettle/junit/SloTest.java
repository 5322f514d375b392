package dev.fettle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SloTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p99<50ms | p99>=50ms",
                "p99 <= 50 ms | p99>50 ms",
                "errors<0.1%,throughput>1000/s | errors>=0.1%,throughput<=1000/s",
                "p99<50ms and errors<=0.1% | p99>=50ms,errors>0.1%",
                "p50<1ms AND p99<2ms and  max<3ms | p50>=1ms,p99>=2ms,max>=3ms",
                "throughput>=10/s | throughput<10/s",
                "p99.9<1s | p99.9>=1s"
            })
    void eachConditionBecomesItsOpposite(String slo, String failIf) {
        assertThat(Slo.failIf(slo)).isEqualTo(failIf);
        assertThat(Slo.failIf(Slo.failIf(failIf))).isEqualTo(failIf);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "p99", "p99=50ms", "<50ms", "p99<50ms,", "p99<50ms and", ",p99<50ms", "and"})
    void whatIsNoConditionIsRefused(String slo) {
        assertThatIllegalArgumentException().isThrownBy(() -> Slo.failIf(slo));
    }
}
