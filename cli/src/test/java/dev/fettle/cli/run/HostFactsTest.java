package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostFactsTest {
    @ParameterizedTest
    @CsvSource({
        "cpuModel, A, A, ''",
        "cpuModel, A, B, 'CPU A then, B now'",
        "cpuModel, A, '', ''",
        "cpuModel, '', B, ''",
        "serverCpus, 0, '0,1', 'the server''s CPUs 0 then, 0,1 now'",
        "generatorCpus, 1, 3, 'the generator''s CPUs 1 then, 3 now'",
        "memory, 15.6 GiB, 15.5 GiB, ''",
        "memory, 16.0 GiB, 8.0 GiB, 'memory 16.0 GiB then, 8.0 GiB now'",
        "kernel, Linux 6, Linux 7, ''",
        "fettleVersion, 1, 2, ''"
    })
    void twoMachinesDifferInWhatASpeedDependsOn(String fact, String then, String now, String difference) {
        assertThat(HostFacts.differences(Map.of(fact, then), Map.of(fact, now)))
                .isEqualTo(difference.isEmpty() ? List.of() : List.of(difference));
        assertThat(HostFacts.differences(Map.of(fact, then), Map.of())).isEmpty();
    }
}
