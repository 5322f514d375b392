package dev.fettle.config.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written as properties or YAML, or given as arguments, is read back as the same setting. */
class BootRoundTripTest {
    @Provide
    Arbitrary<Long> seeds() {
        return Arbitraries.longs();
    }

    @Property(tries = 150)
    void whatIsWrittenIsReadBack(@ForAll("seeds") long seed, @ForAll ServerKind server, @ForAll Random spelling) {
        Setting setting = setting(server, new Random(seed));
        var properties = new StringBuilder();
        var yaml = new StringBuilder();
        var arguments = new ArrayList<String>();
        setting.values().forEach((knob, value) -> {
            String property = BootProperties.name(server, knob).orElseThrow();
            String text = BootProperties.value(property, knob, value);
            properties
                    .append(spelled(property, spelling))
                    .append('=')
                    .append(text)
                    .append('\n');
            yaml.append(spelled(property, spelling)).append(": ").append(text).append('\n');
            arguments.add("--" + property + "=" + text);
        });

        assertThat(read(server, "application.properties", properties.toString(), List.of()))
                .isEqualTo(setting);
        assertThat(read(server, "application.yml", yaml.toString(), List.of())).isEqualTo(setting);
        assertThat(read(server, "application.yml", "", arguments)).isEqualTo(setting);
    }

    private static Setting read(ServerKind server, String file, String text, List<String> arguments) {
        var files = new BootConfiguration.Files() {
            @Override
            public String name() {
                return "app.jar";
            }

            @Override
            public void open(Consumer<List<List<BootConfiguration.Place>>> receiver) {
                receiver.accept(List.of(List.of(new BootConfiguration.Place(
                        "the jar", name -> name.equals(file) ? Optional.of(text) : Optional.empty()))));
            }
        };
        var read = BootConfiguration.of(files, server, arguments, List.of(), Map.of());
        assertThat(read.notes()).isEmpty();
        return read.setting();
    }

    /** {@code max-threads}, {@code maxThreads} or {@code max_threads}. */
    private static String spelled(String property, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> property;
            case 1 -> property.replace('-', '_');
            default -> {
                var camel = new StringBuilder();
                for (int i = 0; i < property.length(); i++) {
                    boolean hump = property.charAt(i) == '-';
                    i += hump ? 1 : 0;
                    char c = property.charAt(i);
                    camel.append(hump ? Character.toUpperCase(c) : c);
                }
                yield camel.toString();
            }
        };
    }

    /** Values that have an effect together. */
    private static Setting setting(ServerKind server, Random random) {
        Setting setting = Setting.DEFAULT;
        for (Knob knob : Knobs.all()) {
            boolean there = BootProperties.name(server, knob.name()).isPresent();
            if (there && random.nextBoolean()) {
                String value = value(knob, server, random);
                setting = knob.on(server).ignoredByBoot(value) ? setting : setting.with(knob.name(), value);
            }
        }
        for (Knob knob : Knobs.all()) {
            if (setting.get(knob.name()).isPresent()) {
                for (var need : knob.needs().entrySet()) {
                    setting = setting.with(need.getKey(), need.getValue());
                }
            }
        }
        Setting chosen = setting;
        Setting effective = Setting.DEFAULT;
        for (var e : chosen.values().entrySet()) {
            boolean idle = Knobs.find(e.getKey()).orElseThrow().on(server).without().entrySet().stream()
                    .anyMatch(w ->
                            chosen.get(w.getKey()).filter(w.getValue()::equals).isPresent());
            effective = idle ? effective : effective.with(e.getKey(), e.getValue());
        }
        return effective;
    }

    private static String value(Knob knob, ServerKind server, Random random) {
        if (!knob.hasInterval()) {
            List<String> choices = knob.choices();
            return choices.isEmpty()
                    ? knob.canonical(knob.on(server).trial())
                    : choices.get(random.nextInt(choices.size()));
        }
        if (knob.hasNoLimit() && random.nextInt(4) == 0) {
            return "-1";
        }
        return knob.text(knob.least() + (long) (random.nextDouble() * (knob.max() - knob.least())));
    }
}
