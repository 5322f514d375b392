package dev.fettle.cli;

import dev.fettle.config.ConfigException;
import dev.fettle.config.TomcatXml;
import dev.fettle.config.UnifiedDiff;
import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The {@code server.xml} that a user has, for a configuration as a patch against it. */
final class OwnServerXml {
    private OwnServerXml() {}

    /** Where it lies, if the target is a Tomcat with a configuration of the user's own. */
    static Optional<Path> of(Target target) {
        return target instanceof Target.Standalone s && s.server() == ServerKind.TOMCAT
                ? s.base().or(s::home).map(folder -> Path.of(folder, "conf", "server.xml"))
                : Optional.empty();
    }

    /**
     * The patch that puts a setting into it; empty when it has all of it already.
     *
     * @throws CliException if it can't be read any more, or has no place for the setting
     */
    static String patch(Path file, Setting setting) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            String text = new String(bytes, TomcatXml.charset(bytes));
            return UnifiedDiff.of(
                    "conf/server.xml",
                    text,
                    TomcatXml.read(file.toString(), text).with(setting));
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot read " + file + ": " + e.getMessage(), e);
        } catch (ConfigException e) {
            throw new CliException(ExitCodes.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
