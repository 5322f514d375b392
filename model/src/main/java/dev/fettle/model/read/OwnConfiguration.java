package dev.fettle.model.read;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Path;

/** Reads the user's own files and jars, which are in the servers' formats that the model does not know. */
public interface OwnConfiguration {
    /** Reads nothing. */
    OwnConfiguration UNREAD = new OwnConfiguration() {
        @Override
        public Setting of(Target target) {
            return Setting.DEFAULT;
        }

        @Override
        public BootApp look(Path jar) {
            throw new IllegalArgumentException(jar + " is not looked into here");
        }
    };

    /**
     * The knobs set in a target's own files: a server's, or an app's, its JVM flags included. None if it has no files.
     *
     * @throws IllegalArgumentException with one line for the user, if they can't be read
     */
    Setting of(Target target);

    /**
     * Inspects an executable Spring Boot jar.
     *
     * @throws IllegalArgumentException with a message for the user, if it is not such a jar
     */
    BootApp look(Path jar);

    /**
     * A Spring Boot app.
     *
     * @param server the one that Spring Boot starts, of those among its libraries
     * @param version of Spring Boot
     */
    record BootApp(ServerKind server, String version) {}
}
