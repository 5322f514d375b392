package dev.fettle.model.knob;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** Tomcat 9.0 to 11.0. Source of its formula: {@code AbstractEndpoint}. */
final class TomcatRules implements ServerRules {
    private static final String CONNECTOR = "connector.";

    @Override
    public String library() {
        return "tomcat-embed-core";
    }

    @Override
    public List<String> packages() {
        return List.of("org.apache.catalina.", "org.apache.coyote.", "org.apache.tomcat.");
    }

    @Override
    public String workerThreads() {
        return "catalina-exec|tomcat-exec|tomcat-handler|tomcat-virt|https?-.+-e(x(e(c)?)?)?(-\\d+)?$";
    }

    @Override
    public Optional<String> bootModule() {
        return Optional.of("spring-boot-tomcat");
    }

    @Override
    public Optional<String> beansHint() {
        return Optional.of("in Spring Boot, server.tomcat.mbeanregistry.enabled=true gives it Tomcat's");
    }

    @Override
    public boolean hasDistribution() {
        return true;
    }

    @Override
    public boolean shipsExamples() {
        return true;
    }

    /** Tomcat 9 itself would run on 8, but the agent that reads it needs 11. */
    @Override
    public int oldestJava(int major) {
        return major <= 10 ? 11 : 17;
    }

    @Override
    public Optional<String> usualPlace(String name) {
        return Optional.of(CONNECTOR + name);
    }

    @Override
    public String usualStandalone(String name, String set) {
        return set.startsWith(CONNECTOR) ? "Connector@" + name : "";
    }

    @Override
    public OptionalLong computed(String knob, Setting setting, int cpus) {
        return knob.equals("threads.min")
                ? OptionalLong.of(Math.min(10, Defaults.threadsMax(ServerKind.TOMCAT, setting, cpus)))
                : OptionalLong.empty();
    }

    @Override
    public void refused(Setting setting, int cpus, BiConsumer<String, String> out) {
        if (setting.number("threads.min").orElse(1) < 1) {
            out.accept("threads.min", "threads.min=0: Tomcat needs at least 1");
        }
    }
}
