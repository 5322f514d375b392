package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.target.TargetTexts;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fills in what is known only when a trial begins: the JDK the setting chooses, and free ports. */
record FilledTarget(Setting setting, Ports ports) implements TargetTexts<LabException> {
    /** The target, ready to launch. */
    static Target target(Target target, Setting setting, Ports ports) throws LabException {
        return target.changed(new FilledTarget(setting, ports));
    }

    @Override
    public Target.Jvm jvm(Target.Jvm jvm) throws LabException {
        return new Target.Jvm(jvm.under(setting).java(), arguments(jvm.flags()));
    }

    @Override
    public List<String> arguments(List<String> arguments) throws LabException {
        var out = new ArrayList<String>();
        for (String text : arguments) {
            out.add(ports.fill(text));
        }
        return out;
    }

    @Override
    public List<List<String>> groups(List<List<String>> groups) throws LabException {
        var out = new ArrayList<List<String>>();
        for (List<String> group : groups) {
            out.add(arguments(group));
        }
        return out;
    }

    @Override
    public Map<String, String> environment(Map<String, String> variables) throws LabException {
        return values(variables);
    }

    /** Files contain no placeholders. */
    @Override
    public Map<String, String> files(Map<String, String> files) {
        return files;
    }

    @Override
    public Map<String, String> templates(Map<String, String> templates) throws LabException {
        return values(templates);
    }

    @Override
    public URI url(URI url) {
        return url;
    }

    private Map<String, String> values(Map<String, String> texts) throws LabException {
        var out = new LinkedHashMap<String, String>();
        for (var e : texts.entrySet()) {
            out.put(e.getKey(), ports.fill(e.getValue()));
        }
        return out;
    }
}
