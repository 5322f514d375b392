package dev.fettle.bench.tuner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedSurfaceTest {
    @TempDir
    Path folder;

    private RecordedSurface surface(String... lines) throws IOException {
        Path plan = folder.resolve("small.yaml");
        Files.writeString(plan, """
                name: small
                target: {server: tomcat, app: work}
                load: {connections: 20, warm-up: 1s, measure: 1s}
                sweep: {grid: {threads.max: [10, 200], jvm.gc: [serial, g1]}}
                """);
        var bytes = new ByteArrayOutputStream();
        try (var gz = new GZIPOutputStream(bytes)) {
            gz.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        }
        Files.write(folder.resolve("small.jsonl.gz"), bytes.toByteArray());
        return new RecordedSurface(plan);
    }

    private static String line(int round, String setting, long responses) {
        return """
                {"round":%d,"setting":[%s],"effective":{"threads.max":"200","jvm.gc":"serial"},"seconds":4,"elapsed":2,\
                "responses":%d,"occupied":40,"latency":[1,1,2,3,4],"cpu":1.5,"busy":9,"workers":10,"started":600}""".formatted(round, setting, responses);
    }

    private static String[] whole() {
        return new String[] {
            line(0, "", 2000),
            line(1, "", 2020),
            line(0, "\"10\",\"serial\"", 1000),
            line(1, "\"10\",\"serial\"", 1100),
            line(0, "\"10\",\"g1\"", 900),
            line(1, "\"10\",\"g1\"", 910),
            line(0, "\"200\",\"serial\"", 2010),
            line(1, "\"200\",\"serial\"", 2030),
            "{\"round\":0,\"setting\":[\"200\",\"g1\"],\"seconds\":3,\"failure\":\"DIED\"}",
            "{\"round\":1,\"setting\":[\"200\",\"g1\"],\"seconds\":3,\"failure\":\"DIED\"}"
        };
    }

    private static Setting setting(String... pairs) {
        Setting s = Setting.DEFAULT;
        for (int i = 0; i < pairs.length; i += 2) {
            s = s.with(pairs[i], pairs[i + 1]);
        }
        return s;
    }

    @Test
    void whatATunerSeesIsNotTheTruthThatItIsJudgedBy() throws Exception {
        RecordedSurface s = surface(whole());
        Setting few = setting("threads.max", "10", "jvm.gc", "serial");
        // even seeds see even rounds
        assertThat(measured(s, few, 2)).isEqualTo(500);
        assertThat(s.truth(few, 2).optional()).hasValue(550);
        assertThat(measured(s, few, 1)).isEqualTo(550);
        assertThat(s.truth(few, 1).optional()).hasValue(500);
        assertThat(s.best(2)).isEqualTo(1015);
        assertThat(s.all()).hasSize(4);
    }

    @Test
    void regretIsMeasuredFromWhatSeemedBestAndNotFromTheLuckiest() throws Exception {
        String[] lines = whole();
        lines[1] = line(1, "", 9000);
        RecordedSurface s = surface(lines);
        assertThat(s.best(2)).isEqualTo(1015);
        assertThat(s.best(1)).isEqualTo(1000);
    }

    @Test
    void aKnobThatIsLeftOutHasTheServersOwnValue() throws Exception {
        RecordedSurface s = surface(whole());
        assertThat(s.truth(setting("threads.max", "10"), 2).optional()).hasValue(550);
        assertThat(s.truth(setting("jvm.gc", "serial"), 1).optional()).hasValue(1005);
        assertThat(s.truth(Setting.DEFAULT, 2).optional()).hasValue(1010);
    }

    @Test
    void aServerThatDiedHasNoThroughput() throws Exception {
        RecordedSurface s = surface(whole());
        Setting dead = setting("threads.max", "200", "jvm.gc", "g1");
        assertThat(s.truth(dead, 1).optional()).isEmpty();
        TrialOutcome died = trial(s, dead, 1);
        assertThat(died.failure().orElseThrow().kind()).isEqualTo(TrialOutcome.Kind.DIED);
        assertThat(died.took()).hasSeconds(3);
        assertThat(s.rivals().points().getLast().seen()).isEqualTo(List.of(List.of(0.0), List.of(0.0)));
    }

    @Test
    void oneThatAnsweredWronglyHasNoneEither() throws Exception {
        String[] lines = whole();
        lines[2] = lines[2].replace("\"started\"", "\"refused\":[\"wrong-answers\"],\"started\"");
        lines[3] = lines[3].replace("\"started\"", "\"refused\":[\"warm-up\"],\"started\"");
        RecordedSurface s = surface(lines);
        Setting few = setting("threads.max", "10", "jvm.gc", "serial");
        assertThat(s.truth(few, 1).optional()).isEmpty();
        assertThat(s.truth(few, 2).optional()).hasValue(550);
    }

    @Test
    void aDisturbedTrialCountsOnlyWhereThereIsNoOther() throws Exception {
        String[] lines = Stream.concat(
                        Stream.of(whole()), Stream.of(disturbed(line(2, "", 20)), disturbed(line(3, "", 20))))
                .toArray(String[]::new);
        assertThat(surface(lines).truth(Setting.DEFAULT, 2).optional()).hasValue(1010);
        assertThat(surface(lines).truth(Setting.DEFAULT, 1).optional()).hasValue(1000);
        lines[1] = disturbed(lines[1]);
        assertThat(surface(lines).truth(Setting.DEFAULT, 2).optional()).hasValue(510);
    }

    private static String disturbed(String line) {
        return line.replace("\"started\"", "\"refused\":[\"disturbed\"],\"started\"");
    }

    @Test
    void rivalsSeeTheSame() throws Exception {
        Surface.Rivals r = surface(whole()).rivals();
        assertThat(r.knobs()).containsExactly("threads.max", "jvm.gc");
        assertThat(r.preset()).containsExactly("200", "g1");
        assertThat(r.standard().values()).isEmpty();
        Surface.Point few = r.points().getFirst();
        assertThat(few.values()).containsExactly("10", "serial");
        // of odd seeds first
        assertThat(few.truth()).containsExactly(500.0, 550.0);
        assertThat(few.seen()).containsExactly(List.of(550.0), List.of(500.0));
        assertThat(few.seconds()).isEqualTo(4);
    }

    @Test
    void aRecordingThatCantJudgeIsRefused() {
        String[] lines = whole();
        String[] oneRound = {lines[0], lines[2], lines[4], lines[6], lines[8]};
        assertThatThrownBy(() -> surface(oneRound)).hasMessageContaining("fewer than two rounds");
        String[] elsewhere = whole();
        for (int i = 0; i < 2; i++) {
            elsewhere[i] = elsewhere[i].replace("\"200\"", "\"150\"");
        }
        assertThatThrownBy(() -> surface(elsewhere)).hasMessageContaining("the default of threads.max, 150,");
    }

    private static double measured(RecordedSurface s, Setting setting, long seed) {
        var m = trial(s, setting, seed).measurement().orElseThrow();
        return m.responses() / (m.elapsed().toMillis() / 1e3);
    }

    private static TrialOutcome trial(RecordedSurface s, Setting setting, long seed) {
        var plan = s.plan(8, seed);
        var spec = new TrialSpec(Phase.SEARCH, "", Map.of(), 0, plan.target(), setting, plan.load());
        return s.server(new Surface.Luck(0, 0, 0, seed)).run(1, spec);
    }
}
