package dev.fettle.model.knob;

import java.util.Arrays;
import java.util.List;

/**
 * A knob of the process, set by the command that starts it.
 *
 * @param command what is put in front of the target's command; {@code {}} is the value
 * @param read where the running process shows it
 * @param systemd the directive of a unit file
 * @param docker the option of {@code docker run}; empty when there is none
 */
public record LaunchOption(String command, String read, String systemd, String docker) {

    /** The arguments that go in front of a command. */
    public List<String> prefix(String value) {
        return Arrays.stream(command.split(" "))
                .map(a -> a.replace("{}", value))
                .toList();
    }
}
