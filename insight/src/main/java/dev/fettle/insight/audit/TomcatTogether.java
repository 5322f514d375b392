package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A {@code server.xml}: Executors and the Connectors that name them. */
record TomcatTogether(Together t) {
    private static final Set<String> OF_THE_POOL =
            Set.of("maxThreads", "minSpareThreads", "maxQueueSize", "threadsMaxIdleTime");

    static void of(Together t) {
        var c = new TomcatTogether(t);
        c.executors();
    }

    private void executors() {
        List<FoundSetting> named = t.all().stream()
                .filter(f -> f.kind() == SettingKind.TOMCAT && f.name().equals("Connector.executor"))
                .toList();
        for (FoundSetting use : named) {
            Optional<FoundSetting> pool = t.named("Executor.name")
                    .filter(e -> e.value().equals(use.value())
                            && e.place().file().equals(use.place().file()))
                    .findFirst();
            if (pool.isEmpty()) {
                t.say(
                        "executor",
                        use,
                        AuditVerdict.WRONG,
                        "an Executor of that name in front of the Connector",
                        "There is no Executor '%s' in the file: Tomcat says nothing, and the Connector has a pool of its own.",
                        use.value());
                continue;
            }
            boolean behind = pool.get().place().start() > use.place().start();
            if (behind) {
                FoundSetting element = t.all().stream()
                        .filter(f -> f.name().equals("Executor") && Together.beside(f, pool.get()))
                        .findFirst()
                        .orElse(pool.get());
                t.say(
                        "executor",
                        element,
                        AuditVerdict.WRONG,
                        "the Executor in front of the Connector",
                        "The Executor stands behind the Connector that names it, so Tomcat ignores it without a word.");
            }
            t.all().stream()
                    .filter(f -> f.name().startsWith("Connector.")
                            && Together.beside(f, use)
                            && OF_THE_POOL.contains(f.name().substring("Connector.".length())))
                    .forEach(f -> t.say(
                            "pool",
                            f,
                            AuditVerdict.NO_EFFECT,
                            "the attribute on the Executor",
                            behind
                                    ? "It is meant to be ignored beside an Executor; here it counts only because the Executor stands behind."
                                    : "The Connector runs on an Executor, and Tomcat ignores it."));
        }
    }
}
