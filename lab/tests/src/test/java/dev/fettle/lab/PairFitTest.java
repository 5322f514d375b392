package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.host.Proc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether two servers fit into the memory of a machine that has 8 GiB, of which 4 are free. */
class PairFitTest {
    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}: fits {1}")
    @CsvSource({
        "-Xmx512m,                      true",
        "-Xmx3G,                        false",
        // no size that there is: the JVM will say so; without one HotSpot takes a quarter of the machine's
        "-Xmx,                          false",
        "-Xmxmuch,                      false",
        "-Xmx99999999999999999999999,   false",
    })
    void memory(String flag, boolean fits) throws Exception {
        Files.writeString(folder.resolve("meminfo"), "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
        var target = new Target.Embedded(
                ServerKind.TOMCAT,
                "hello",
                Map.of(),
                Optional.empty(),
                new Target.Jvm(Optional.empty(), List.of(flag)));
        TrialSpec spec = Fixtures.spec(target, Setting.DEFAULT, Fixtures.load(1, "x"));
        Optional<String> why = new PairFit(new Proc(folder), Hooks.NONE).whyNot(spec, spec);
        assertThat(why.isEmpty()).as("%s", why).isEqualTo(fits);
        why.ifPresent(
                w -> assertThat(w).startsWith("two servers may need ").endsWith(", and 4.00 GiB of memory are free"));
    }
}
