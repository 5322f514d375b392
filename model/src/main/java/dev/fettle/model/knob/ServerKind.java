package dev.fettle.model.knob;

import dev.fettle.model.text.Format;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The servers that Fettle knows: it launches them by itself, and has their knobs. What else is known of one are its {@link #rules}. */
public enum ServerKind {
    TOMCAT("Tomcat", new TomcatRules()),
    JETTY("Jetty", new JettyRules()),
    UNDERTOW("Undertow", new UndertowRules());

    /** The name of the choice of a server, as a knob of a tune and as a dimension of a grid. It is not in the catalogue: no server has it. */
    public static final String CHOICE = "server";

    private final String title;
    private final ServerRules rules;

    ServerKind(String title, ServerRules rules) {
        this.title = title;
        this.rules = rules;
    }

    /** The choice of a server as a knob. */
    public static Knob choice() {
        return Knob.uncatalogued(
                CHOICE,
                Knob.Type.ENUM,
                Knob.Scale.LINEAR,
                0,
                0,
                ids(),
                "the server that runs the sample app or the WAR");
    }

    /** The server that a setting chooses, if it chooses one. */
    public static Optional<ServerKind> chosen(Setting setting) {
        return setting.get(CHOICE).flatMap(ServerKind::of);
    }

    /** The server of that {@link #id}. */
    public static Optional<ServerKind> of(String id) {
        return Arrays.stream(values()).filter(s -> s.id().equals(id)).findFirst();
    }

    /** The ids of all, in their order. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(ServerKind::id).toList();
    }

    /** The titles of all in words: {@code Tomcat, Jetty or Undertow}. */
    public static String any() {
        return titles("or");
    }

    /** {@code Tomcat, Jetty and Undertow}. */
    public static String all() {
        return titles("and");
    }

    private static String titles(String last) {
        return Format.list(Arrays.stream(values()).map(ServerKind::title).toList(), last);
    }

    /** The name in sentences and headings. */
    public String title() {
        return title;
    }

    public ServerRules rules() {
        return rules;
    }

    /** The name used in plans, on command lines and in reports: lower case. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
