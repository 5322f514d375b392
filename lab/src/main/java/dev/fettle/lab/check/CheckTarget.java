package dev.fettle.lab.check;

import dev.fettle.lab.launch.Distribution;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Path;
import java.util.Optional;

/** The software on which a target's rendered configuration is tried. */
sealed interface CheckTarget {

    /** How it differs from what was under test; empty if it is the same. */
    default Optional<String> note() {
        return Optional.empty();
    }

    /** A distribution with a copy of its configuration: the target's own, or the one matching its embedded server. */
    record OnDistribution(Target.Standalone server, Optional<String> note) implements CheckTarget {}

    /** A Spring Boot app. */
    record OnBoot(Target.Boot app) implements CheckTarget {}

    /** A program made of the code that builds a server which has no distribution. */
    record OnBuilder(ServerKind server, Target.Jvm jvm, Optional<String> note) implements CheckTarget {}

    /** The rendered command. */
    record OnCommand(Target.Command command) implements CheckTarget {}

    /**
     * Chooses the software for a target.
     *
     * @param fettle Fettle's own folder, which holds the embedded servers
     * @throws LabException if Fettle does not start such a target
     */
    static CheckTarget of(Target target, Path fettle) throws LabException {
        return switch (target) {
            case Target.Standalone s -> new OnDistribution(s, Optional.empty());
            case Target.War w
            when !w.server().rules().hasDistribution() ->
                new OnBuilder(w.server(), w.jvm(), Optional.of("the builder was tried without the web application"));
            case Target.War w -> sameVersion(w.server(), Optional.of(w.war()), w.context(), w.jvm(), fettle);
            case Target.Embedded e
            when !e.server().rules().hasDistribution() -> new OnBuilder(e.server(), e.jvm(), Optional.empty());
            case Target.Embedded e ->
                sameVersion(
                        e.server(),
                        Optional.of(Target.Standalone.EXAMPLES)
                                .filter(x -> e.server().rules().shipsExamples()),
                        "/",
                        e.jvm(),
                        fettle);
            case Target.Boot b -> new OnBoot(b);
            case Target.Command c -> new OnCommand(c);
            case Target.Running r -> throw notStarted(r);
            case Target.Url u -> throw notStarted(u);
        };
    }

    private static CheckTarget sameVersion(
            ServerKind server, Optional<String> war, String context, Target.Jvm jvm, Path fettle) throws LabException {
        Optional<String> version = Optional.of(Distribution.embedded(fettle, server));
        return new OnDistribution(
                new Target.Standalone(
                        server, version, Optional.empty(), Optional.empty(), war, context, jvm, Setting.DEFAULT),
                Optional.of("the run was on an embedded server; the files were tried on the distribution of the same"
                        + " version"));
    }

    private static LabException notStarted(Target target) {
        return new LabException(target.label() + " is not started by Fettle");
    }
}
