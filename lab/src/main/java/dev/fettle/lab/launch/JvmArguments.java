package dev.fettle.lab.launch;

import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.List;

/** JVM flags of a trial: the target's own, then those for the setting's {@code jvm.*} knobs. */
public final class JvmArguments {
    private JvmArguments() {}

    public static List<String> of(Target.Jvm jvm, Setting setting) {
        var flags = new ArrayList<>(jvm.flags());
        flags.addAll(JvmFlags.of(setting));
        return flags;
    }
}
