package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.config.ConfigFile;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;

/** A configuration as a patch against the user's own files, where a fragment would leave the merging to the user. */
public final class ConfigPatch {
    private ConfigPatch() {}

    /**
     * The files, with a patch in place of those that it replaces.
     *
     * @param about goes before the patch, as comment lines
     * @throws CliException if the user's files can no longer be read, or have no place for the setting
     */
    public static List<ConfigFile> patched(List<ConfigFile> files, Target target, Setting setting, String about) {
        if (!(target instanceof Target.Standalone server)) {
            return files;
        }
        try {
            return OwnFiles.patched(server, files, setting, about);
        } catch (LabException e) {
            throw new CliException(ExitCodes.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
