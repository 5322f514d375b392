package dev.fettle.model.knob;

import java.util.Locale;

/** The embedded servers Fettle can launch by itself. */
public enum ServerKind {
    TOMCAT,
    JETTY,
    UNDERTOW;

    /** The name used in plans, on command lines and in reports: lower case. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
