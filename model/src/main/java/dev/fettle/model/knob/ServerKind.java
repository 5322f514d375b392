package dev.fettle.model.knob;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The embedded servers Fettle can launch by itself. */
public enum ServerKind {
    TOMCAT,
    JETTY,
    UNDERTOW;

    /** The name of the choice of a server, as a knob of a tune and as a dimension of a grid. It is not in the catalogue: no server has it. */
    public static final String CHOICE = "server";

    /** The choice of a server as a knob. */
    public static Knob choice() {
        return Knob.uncatalogued(
                CHOICE,
                Knob.Type.ENUM,
                Knob.Scale.LINEAR,
                0,
                0,
                Arrays.stream(values()).map(ServerKind::id).toList(),
                "the server that runs the sample app or the WAR");
    }

    /** The server that a setting chooses, if it chooses one. */
    public static Optional<ServerKind> chosen(Setting setting) {
        return setting.get(CHOICE)
                .flatMap(id ->
                        Arrays.stream(values()).filter(s -> s.id().equals(id)).findFirst());
    }

    /** The name used in plans, on command lines and in reports: lower case. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
