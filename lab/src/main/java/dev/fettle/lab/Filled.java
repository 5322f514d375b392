package dev.fettle.lab;

import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What of a target is known only when its trial begins: the JDK that the setting chooses, and which ports are free. */
final class Filled {
    private final Setting setting;
    private final Ports ports;

    private Filled(Setting setting, Ports ports) {
        this.setting = setting;
        this.ports = ports;
    }

    /** A target that can be launched. */
    static Target target(Target target, Setting setting, Ports ports) throws LabException {
        return new Filled(setting, ports).filled(target);
    }

    private Target filled(Target target) throws LabException {
        return switch (target) {
            case Target.Embedded e -> new Target.Embedded(e.server(), e.app(), e.options(), e.backend(), jvm(e.jvm()));
            case Target.War w -> new Target.War(w.server(), w.war(), w.context(), jvm(w.jvm()));
            case Target.Standalone s -> s.withJvm(jvm(s.jvm()));
            case Target.Boot b ->
                new Target.Boot(b.jar(), b.server(), b.version(), texts(b.arguments()), jvm(b.jvm()), b.configured());
            case Target.Command c -> command(c);
            case Target.Running r -> r;
            case Target.Url u -> u;
        };
    }

    private Target command(Target.Command c) throws LabException {
        var groups = new ArrayList<List<String>>();
        for (List<String> group : c.arguments()) {
            groups.add(texts(group));
        }
        return new Target.Command(
                groups,
                values(c.environment()),
                c.files(),
                values(c.templates()),
                c.artifacts(),
                c.workers(),
                c.configures(),
                jvm(c.jvm()));
    }

    private Target.Jvm jvm(Target.Jvm jvm) throws LabException {
        return new Target.Jvm(jvm.under(setting).java(), texts(jvm.flags()));
    }

    private List<String> texts(List<String> texts) throws LabException {
        var out = new ArrayList<String>();
        for (String text : texts) {
            out.add(ports.fill(text));
        }
        return out;
    }

    private Map<String, String> values(Map<String, String> texts) throws LabException {
        var out = new LinkedHashMap<String, String>();
        for (var e : texts.entrySet()) {
            out.put(e.getKey(), ports.fill(e.getValue()));
        }
        return out;
    }
}
