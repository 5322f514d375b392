package dev.fettle.config.tomcat;

import dev.fettle.config.process.JvmLine;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Takes flags out of Tomcat's {@code bin/setenv.sh} that a setting has others for: two collectors at a time are one too many. */
public final class SetenvText {
    private SetenvText() {}

    /** The JVM's flags in the script that the setting takes the place of. */
    public static List<String> displaced(String text, Setting over) {
        return JvmLine.displaced(Setenv.read("setenv.sh", text, Map.of()).flags(), over);
    }

    /**
     * The script without these flags; empty if it can't be said for sure that nothing else changes, such as where a flag comes from
     * another variable.
     */
    public static Optional<String> without(String text, List<String> flags) {
        Setenv before = Setenv.read("setenv.sh", text, Map.of());
        String changed = text;
        for (String flag : flags) {
            String word = "(?<![^\\s\"'=])" + Pattern.quote(flag) + "(?![^\\s\"'])";
            // with the blanks on one side, so that no two words grow together
            changed = Pattern.compile("(?m)^([^#\\n]*?)(?:[ \\t]+" + word + "|" + word + "[ \\t]*)")
                    .matcher(changed)
                    .replaceAll("$1");
        }
        Setenv after = Setenv.read("setenv.sh", changed, Map.of());
        var wanted = new ArrayList<>(before.flags());
        wanted.removeIf(flags::contains);
        boolean same = after.flags().equals(wanted)
                && after.environment().equals(before.environment())
                && after.findings().equals(before.findings());
        return same ? Optional.of(changed) : Optional.empty();
    }
}
