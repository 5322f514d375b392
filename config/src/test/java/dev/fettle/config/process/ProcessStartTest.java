package dev.fettle.config.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.config.ConfigException;
import dev.fettle.model.knob.Setting;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessStartTest {
    @Test
    void aUnitOfSystemd() throws Exception {
        var start = ProcessStart.ofUnit("""
                # why
                [Service]
                Environment="JAVA_TOOL_OPTIONS=-Dp=10%% -Dq=\\"x\\""
                Environment=A=b=c
                LimitNOFILE=900
                CPUAffinity=0-3
                Nice=-2
                """);
        assertThat(start.environment()).isEqualTo(Map.of("JAVA_TOOL_OPTIONS", "-Dp=10% -Dq=\"x\"", "A", "b=c"));
        assertThat(start.process())
                .isEqualTo(Setting.of(Map.of("process.nofile", "900", "process.cpus", "4", "process.nice", "-2")));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ProcessStart.ofUnit("[Service]\nLimitNOFILES=900\n"))
                .withMessage("'LimitNOFILES' is none that Fettle writes");
        assertThatExceptionOfType(ConfigException.class).isThrownBy(() -> ProcessStart.ofUnit("LimitNOFILE=900\n"));
    }

    @Test
    void aDeploymentOfKubernetes() throws Exception {
        String head = "# why\nspec:\n  template:\n    spec:\n      containers:\n        - name: C\n";
        var start = ProcessStart.ofKubernetes(head + """
                          env:
                            - name: JAVA_TOOL_OPTIONS
                              value: "-Xmx1g \\"x\\""
                          resources:
                            limits: {cpu: "2"}
                """);
        assertThat(start.environment()).isEqualTo(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g \"x\""));
        assertThat(start.process()).isEqualTo(Setting.of("process.cpus", "2"));
        assertThat(ProcessStart.ofKubernetes(head).environment()).isEmpty();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ProcessStart.ofKubernetes("spec: {}"))
                .withMessage("the patch names no container");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ProcessStart.ofKubernetes("a: !!java.net.URL [x]"));
    }

    @Test
    void optionsOfDockerRun() throws Exception {
        var start = ProcessStart.ofDocker("""
                # why
                docker run -e 'JAVA_TOOL_OPTIONS=-Dd=\\ -Dq="x"' \\
                  --cpuset-cpus 0-1 \\
                  --ulimit nofile=900:900 \\
                  IMAGE
                """);
        assertThat(start.environment()).isEqualTo(Map.of("JAVA_TOOL_OPTIONS", "-Dd=\\ -Dq=\"x\""));
        assertThat(start.process()).isEqualTo(Setting.of(Map.of("process.cpus", "2", "process.nofile", "900")));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ProcessStart.ofDocker("docker run --cpus 2 IMAGE"))
                .withMessageContaining("'--cpus'");
    }
}
