package dev.fettle.lab.launch;

import dev.fettle.config.process.JvmLine;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a private copy of a server is made from.
 *
 * @param folder the trial's
 * @param port its own, on 127.0.0.1
 * @param java the program
 * @param agent JVM flags that load the agent
 */
record PrivateServer(
        Distribution distribution,
        Target.Standalone target,
        Setting setting,
        Path folder,
        int port,
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

    /** The user's own base, or what the distribution ships. */
    Path original() {
        return target.base().map(Path::of).orElse(distribution.home());
    }

    /**
     * The flags of the JVM: the user's, the plan's, the setting's, a log of the collector unless there is one, and the agent's.
     *
     * @param own those of the user's own configuration
     */
    List<String> flags(List<String> own) {
        var users = new ArrayList<>(own);
        users.addAll(target.jvm().flags());
        var flags = new ArrayList<String>();
        flags.add("-XX:+ExitOnOutOfMemoryError");
        flags.addAll(JvmLine.with(users, setting));
        if (flags.stream().noneMatch(f -> LOGS_GC.matcher(f).matches())) {
            flags.add("-Xlog:gc*:file=gc.log"); // in the trial's folder, where the JVM starts
        }
        flags.addAll(agent);
        return flags;
    }
}
