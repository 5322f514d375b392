package dev.fettle.model.knob;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/** Undertow 2.3. Source of its formulas: {@code Undertow.Builder}. */
final class UndertowRules implements ServerRules {
    @Override
    public String library() {
        return "undertow-core";
    }

    @Override
    public List<String> packages() {
        return List.of("io.undertow.", "org.xnio.", "org.jboss.threads.");
    }

    @Override
    public String workerThreads() {
        return "XNIO-\\d+ task|default task-";
    }

    @Override
    public Optional<String> bootOption(NativeKnob knob) {
        return knob.applies() && Set.of("server", "socket").contains(knob.holder())
                ? Optional.of("server.undertow.options." + knob.set())
                : Optional.empty();
    }

    /** XNIO frees its buffers that way. */
    @Override
    public boolean usesUnsafe() {
        return true;
    }

    @Override
    public OptionalLong computed(String knob, Setting setting, int cpus) {
        return switch (knob) {
            // the builder computes it from its own default of ioThreads, so threads.selectors does not count
            case "threads.max" -> OptionalLong.of(8L * Math.max(2, cpus));
            case "threads.min" -> OptionalLong.of(Defaults.threadsMax(ServerKind.UNDERTOW, setting, cpus));
            case "threads.selectors" -> OptionalLong.of(Math.max(2, cpus));
            default -> OptionalLong.empty();
        };
    }

    @Override
    public void refused(Setting setting, int cpus, BiConsumer<String, String> out) {
        if (setting.number("admission.queue").orElse(1) < 1) {
            out.accept("admission.queue", "admission.queue=0: Undertow takes 0 as an unlimited queue; use 1 or more");
        }
    }
}
