package dev.fettle.lab.launch;

import dev.fettle.config.process.JvmLine;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The ingredients of a private server copy.
 *
 * @param folder the trial's folder
 * @param port its port on 127.0.0.1
 * @param key for TLS; empty: no TLS
 * @param java the java program
 * @param agent JVM flags that load the agent
 */
record PrivateServer(
        Distribution distribution,
        Target.Standalone target,
        Setting setting,
        Path folder,
        int port,
        Optional<ServerKey> key,
        Path java,
        List<String> agent) {
    private static final Pattern LOGS_GC = Pattern.compile("-Xloggc:.*|-Xlog:(?:[^:]*[,+])?gc\\b.*");

    PrivateServer {
        agent = List.copyOf(agent);
    }

    /** The private CATALINA_BASE or jetty.base. */
    Path base() {
        return folder.resolve("base");
    }

    /** The user's own base, or the one the distribution ships. */
    Path original() {
        return target.base().map(Path::of).orElse(distribution.home());
    }

    /**
     * The JVM's flags: the user's, the plan's, the setting's, a GC log unless there is one, and the agent's.
     *
     * @param own flags from the user's own configuration
     */
    List<String> flags(List<String> own) {
        var users = new ArrayList<>(own);
        users.addAll(target.jvm().flags());
        var flags = new ArrayList<String>();
        flags.add("-XX:+ExitOnOutOfMemoryError");
        flags.addAll(JvmLine.with(users, setting));
        if (flags.stream().noneMatch(f -> LOGS_GC.matcher(f).matches())) {
            flags.add("-Xlog:gc*:file=gc.log"); // in the trial's folder, the JVM's working directory
        }
        flags.addAll(agent);
        return flags;
    }
}
