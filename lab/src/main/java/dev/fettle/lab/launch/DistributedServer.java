package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A server that has a distribution: where it comes from, what files it has, and how it is started from a private copy of them. */
interface DistributedServer {
    /** All of them: those whose rules say that they have one. */
    List<DistributedServer> ALL = List.of(new DistributedTomcat(), new DistributedJetty());

    /** @throws IllegalArgumentException if the server has no distribution */
    static DistributedServer of(ServerKind server) {
        return ALL.stream()
                .filter(d -> d.server() == server)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(server.title() + " has no distribution"));
    }

    ServerKind server();

    /** Its Maven artifact, a zip: {@code org.apache.tomcat:tomcat}. */
    String artifact();

    /** The lines that Fettle knows: {@code 11.0}. Knobs, their places and how they are read back differ from line to line. */
    List<String> lines();

    /** A release of the newest line, as an example. */
    String example();

    /** A file of every distribution, which no other server has: {@code start.jar}. */
    String mark();

    /** A file or folder of every configuration of it: {@code conf/server.xml}. */
    String configurationMark();

    /**
     * The version of the distribution in a folder, as it states it: {@code 11.0.24}.
     *
     * @throws LabException if it is something else
     */
    String version(Path home) throws LabException;

    /** Whether a folder has its configuration. */
    default boolean isBase(Path folder) {
        return Files.exists(folder.resolve(configurationMark()));
    }

    /** Whether a folder is its distribution. */
    default boolean isHome(Path folder) {
        return Files.isDirectory(folder.resolve("lib")) && Files.isRegularFile(folder.resolve(mark()));
    }

    /** Whether the configuration of its home counts where there is no base of its own. */
    boolean isConfiguredAtHome();

    /** The folder of the user's configuration, if there is one. */
    default Optional<Path> own(Target.Standalone target) {
        return (isConfiguredAtHome() ? target.base().or(target::home) : target.base()).map(Path::of);
    }

    /** The knobs set in the files of a target that has some. */
    Setting configured(Target.Standalone target) throws IOException, LabException;

    /** The folders of the program. */
    List<String> program();

    /** The files and folders of a configuration. */
    List<String> configuration();

    /** Where a configuration has its web applications. */
    default String applications(Path base) {
        return "webapps";
    }

    /** Checks that a web application can be deployed; by default, that shows when it is. */
    default void check(WebApp app, Distribution distribution) throws LabException {}

    /**
     * Creates a private copy of the configuration with a setting and a web application.
     *
     * @param app the application to deploy; empty: those of the user's base, or the examples that it ships
     * @throws TrialFailure if this server can't take the setting
     * @throws LabException if there is nothing to start from
     */
    PreparedServer prepare(PrivateServer wanted, Optional<WebApp> app)
            throws TrialFailure, LabException, InterruptedException;

    /**
     * Lays a rendered configuration down in a base, as the text tells its reader to: fragments merged, patches applied.
     *
     * @param own the user's base
     * @param into the folder that becomes the base
     * @throws ConfigException if a text does not fit where it goes
     */
    void lay(Path home, Optional<Path> own, List<ConfigFile> files, Path into)
            throws IOException, ConfigException, LabException;

    /**
     * Files with a patch of the user's own in place of those that it replaces.
     *
     * @param own the folder of the user's configuration
     * @param about goes before the patch, as comment lines
     */
    List<ConfigFile> patched(List<ConfigFile> files, Path own, Setting setting, String about)
            throws ConfigException, LabException;
}
