package dev.fettle.config;

import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.Optional;

/** How one server is configured: where a setting goes, and what its places are called. {@code render.ConfigPlace} names them all. */
public interface ServerConfig {
    /** The server whose configuration it is. */
    ServerKind server();

    /**
     * What is written.
     *
     * @param setting the knobs to write
     * @param configured what the server's own configuration sets
     * @param whole the setting with all that was held
     * @param executor the Executor that a Tomcat's Connector runs on, if it is known to run on one
     */
    record Wanted(Setting setting, Setting configured, Setting whole, Optional<String> executor) {}

    /** The piece for the server's own knobs. */
    ConfigFile knobs(Wanted wanted);

    /**
     * The piece for the JVM's flags.
     *
     * @param takenOut a comment on flags that have to go; may be empty
     */
    ConfigFile flags(String takenOut, List<String> flags);

    /** How an embedded server gets a knob's value: {@code QueuedThreadPool.setMaxThreads(…)}. */
    String embedded(NativeKnob knob);

    /** A knob's places in the files of the distribution, in words. */
    String standalone(NativeKnob knob);

    /** What has those files. */
    default String standaloneTitle() {
        return "standalone";
    }

    /**
     * What has to be known of releases, as comment lines.
     *
     * @param version of the server that was measured, if it is known
     */
    default List<String> remarks(Optional<String> version) {
        return List.of();
    }

    /** A setting as the audit knows it. */
    record Audited(SettingKind kind, String name) {}

    /** The setting that a knob of a running server is, as the rules of the audit call it; empty if they know none. */
    default Optional<Audited> audited(Knob knob) {
        return Optional.empty();
    }

    /**
     * A program in one file that builds and starts a server on a port of 127.0.0.1; empty if it has a distribution to be tried on.
     *
     * @param code the text of {@link #knobs}; empty: a server as it is by default
     */
    default Optional<String> program(Optional<String> code, int port) {
        return Optional.empty();
    }

    /** The name of a property's setter: {@code setMaxThreads(…)}. */
    static String setter(NativeKnob knob) {
        return "set" + Character.toUpperCase(knob.property().charAt(0))
                + knob.property().substring(1) + "(…)";
    }
}
