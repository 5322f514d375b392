package dev.fettle.lab;

import dev.fettle.model.JvmFlags;
import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.util.ArrayList;
import java.util.List;

/** JVM flags of a trial: the target's own, then those that the setting's {@code jvm.*} knobs stand for. */
final class JvmArguments {
    private JvmArguments() {}

    static List<String> of(Target.Jvm jvm, Setting setting) {
        var flags = new ArrayList<>(jvm.flags());
        flags.addAll(JvmFlags.of(setting));
        return flags;
    }
}
