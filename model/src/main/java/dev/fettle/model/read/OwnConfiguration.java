package dev.fettle.model.read;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Path;

/** What the user's own files and jars say. They are in the servers' own formats, which the model does not know. */
public interface OwnConfiguration {
    /** Nothing is read, and nothing is known of a jar. */
    OwnConfiguration UNREAD = new OwnConfiguration() {
        @Override
        public Setting of(Target.Standalone target) {
            return Setting.DEFAULT;
        }

        @Override
        public Setting of(Target.Boot target) {
            return Setting.DEFAULT;
        }

        @Override
        public BootApp look(Path jar) {
            throw new IllegalArgumentException(jar + " is not looked into here");
        }
    };

    /**
     * The knobs that a server's files set.
     *
     * @throws IllegalArgumentException with one line for the user, if they can't be read
     */
    Setting of(Target.Standalone target);

    /** The knobs that an app is configured to; flags of its JVM are a part of that. */
    Setting of(Target.Boot target);

    /**
     * What an executable jar of Spring Boot says of itself.
     *
     * @throws IllegalArgumentException with a message for the user, if it is no such jar
     */
    BootApp look(Path jar);

    /**
     * An app of Spring Boot.
     *
     * @param server the server that Spring Boot takes of those among its libraries
     * @param version of Spring Boot
     */
    record BootApp(ServerKind server, String version) {}
}
