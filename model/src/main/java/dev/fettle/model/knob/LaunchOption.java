package dev.fettle.model.knob;

import java.util.Arrays;
import java.util.List;

/**
 * A process knob, set by the command that starts it.
 *
 * @param command prefix of the target's command; {@code {}} is the value
 * @param read where it can be read from the running process
 * @param systemd the directive of a unit file
 * @param docker the option of {@code docker run}; empty if there is none
 */
public record LaunchOption(String command, String read, String systemd, String docker) {

    /** The arguments to prefix a command with. */
    public List<String> prefix(String value) {
        return Arrays.stream(command.split(" "))
                .map(a -> a.replace("{}", value))
                .toList();
    }
}
