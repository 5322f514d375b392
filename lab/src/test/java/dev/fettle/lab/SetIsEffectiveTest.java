package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.Constraints;
import dev.fettle.model.JvmOption;
import dev.fettle.model.Knob;
import dev.fettle.model.Knobs;
import dev.fettle.model.NativeKnob;
import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import dev.fettle.watch.ListenQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Set = effective: every knob that a server has is set to a value that is no default on a real server in a JVM of its own,
 * and read back the way a trial does it. What can't be read back, or not on every machine, is exactly what the catalogue
 * says, with its reason. Knobs that do not bear each other are spread over launches.
 */
class SetIsEffectiveTest {
    @TempDir
    Path folder;

    private int launches;

    @Test
    void everyKnobThatIsSetIsEffective() throws Exception {
        var table = new TreeMap<String, Map<ServerKind, String>>();
        for (ServerKind server : ServerKind.values()) {
            for (Setting setting : settings(server)) {
                launch(server, setting)
                        .forEach((knob, result) -> table.computeIfAbsent(knob, k -> new LinkedHashMap<>())
                                .put(server, result));
            }
        }
        print(table);
        for (Knob knob : Knobs.all()) {
            for (ServerKind server : ServerKind.values()) {
                NativeKnob on = knob.on(server);
                String result = table.getOrDefault(knob.name(), Map.of()).getOrDefault(server, "not there");
                if (!on.applies() || !inThisJava(knob)) {
                    assertThat(result).as("%s on %s", knob.name(), server).isEqualTo("not there");
                } else if (!on.mayDiffer().isEmpty()) {
                    assertThat(result).as("%s on %s", knob.name(), server).isIn("ok", "differs");
                } else {
                    assertThat(result)
                            .as("%s on %s", knob.name(), server)
                            .isEqualTo(on.unread().isEmpty() || knob.name().equals("backlog") ? "ok" : "exception");
                }
            }
        }
    }

    private static boolean inThisJava(Knob knob) {
        int release = Runtime.version().feature();
        return knob.option()
                .map(o -> o.since() <= release && release <= o.until())
                .orElse(true);
    }

    /** As few settings as bear each other: each knob goes into the first one that stays possible. */
    private static List<Setting> settings(ServerKind server) {
        var settings = new ArrayList<Setting>();
        for (Knob knob : Knobs.all()) {
            if (!knob.on(server).applies() || !inThisJava(knob) || knob.name().equals("jvm.gc")) {
                continue;
            }
            Setting wanted = with(Setting.DEFAULT, knob, server);
            int i = 0;
            while (i < settings.size() && !possible(server, settings.get(i).with(wanted), settings.get(i), wanted)) {
                i++;
            }
            if (i == settings.size()) {
                settings.add(Setting.DEFAULT);
            }
            settings.set(i, settings.get(i).with(wanted));
        }
        return settings;
    }

    private static Setting with(Setting setting, Knob knob, ServerKind server) {
        Setting with = setting.with(knob.name(), knob.canonical(knob.on(server).trial()));
        for (var need : knob.needs().entrySet()) {
            Knob other = Knobs.find(need.getKey()).orElseThrow();
            with = with.with(
                    other.name(),
                    need.getValue().isEmpty() ? other.canonical(other.on(server).trial()) : need.getValue());
        }
        String collector = knob.option().map(JvmOption::collector).orElse("");
        return collector.isEmpty() ? with : with.with("jvm.gc", collector);
    }

    private static boolean possible(ServerKind server, Setting together, Setting before, Setting added) {
        boolean overwrites = added.values().entrySet().stream()
                .anyMatch(e -> before.get(e.getKey())
                        .filter(v -> !v.equals(e.getValue()))
                        .isPresent());
        return !overwrites
                && Constraints.check(server, together, Runtime.getRuntime().availableProcessors(), 4096)
                        .isEmpty()
                && APART.stream().noneMatch(a -> together.values().keySet().containsAll(a));
    }

    /** What the JVM does not bear together. */
    private static final Set<Set<String>> APART = Set.of(
            Set.of("jvm.pages.large", "jvm.pages.transparent"),
            Set.of("jvm.jit.tiered", "jvm.jit.level"),
            Set.of("jvm.jit.tiered", "jvm.codecache.segmented"),
            Set.of("jvm.oops.compressed", "jvm.headers.compact"),
            Set.of("jvm.jit.level", "jvm.jit.threads"),
            Set.of("jvm.jit.tiered", "jvm.jit.threads"));

    private Map<String, String> launch(ServerKind server, Setting setting) throws Exception {
        Path trial = Files.createDirectory(folder.resolve("launch-" + launches++));
        var env = Fixtures.environment(trial);
        var launcher = new TargetLauncher(
                env, new Artifacts(trial.resolve("a"), trial.resolve("m"), note -> {}), new Calibration(trial));
        var effective = new Effective(env.proc());
        var results = new LinkedHashMap<String, String>();
        var spec = Fixtures.spec(Fixtures.hello(server), setting, Fixtures.load(1, "Hello World"));
        try (RunningTarget running = launcher.launch(spec, trial)) {
            Readiness.await(running, spec.load());
            OptionalInt queue = ListenQueue.limit(running.address.getPort());
            effective.read(running, spec.target(), setting);
            for (var e : setting.values().entrySet()) {
                NativeKnob on = Knobs.find(e.getKey()).orElseThrow().on(server);
                boolean kernel = e.getKey().equals("backlog") && queue.isPresent();
                Optional<TrialFailure> wrong = effective.difference(running, e.getKey(), e.getValue(), queue);
                results.put(
                        e.getKey(),
                        wrong.isPresent()
                                ? on.mayDiffer().isEmpty()
                                        ? String.valueOf(wrong.get().getMessage())
                                        : "differs"
                                : !on.unread().isEmpty() && !kernel
                                        ? "exception"
                                        : running.effective.containsKey(e.getKey()) ? "ok" : "not read");
            }
        } catch (TrialFailure e) {
            throw new AssertionError(server + " " + setting + ": " + e.getMessage(), e);
        }
        return results;
    }

    private void print(Map<String, Map<ServerKind, String>> table) {
        var out = new StringBuilder("set = effective\n");
        var kinds = new LinkedHashSet<>(List.of(ServerKind.values()));
        for (Knob knob : Knobs.all()) {
            out.append("  %-28s".formatted(knob.name()));
            for (ServerKind s : kinds) {
                out.append(" %-10s"
                        .formatted(table.getOrDefault(knob.name(), Map.of())
                                .getOrDefault(s, knob.on(s).applies() ? "not in this Java" : "not there")));
            }
            out.append('\n');
        }
        out.append("  in ").append(launches).append(" launches\n");
        System.out.print(out);
    }
}
