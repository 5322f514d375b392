package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.boot.BootProperties;
import dev.fettle.config.render.OwnPlaces;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.target.TargetTexts;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts the values of own knobs into what a target is started from: its arguments, flags, variables and files. */
final class OwnTexts implements TargetTexts<TrialFailure> {
    private final OwnPlaces places;

    OwnTexts(List<OwnKnob> own, Setting setting) {
        this.places = new OwnPlaces(own, setting);
    }

    /** The target with the values filled in; environment variables of targets other than commands are left to the launcher. */
    Target target(Target target) throws TrialFailure {
        return target.changed(this);
    }

    Map<String, String> variables() {
        return places.variables();
    }

    /** The setting with own values as the application reads them, for placeholders. */
    Setting written(Setting setting) {
        Setting written = setting;
        for (var e : places.written().entrySet()) {
            written = written.with(e.getKey(), e.getValue());
        }
        return written;
    }

    /**
     * Puts values into files of a private base.
     *
     * @throws TrialFailure IMPOSSIBLE_SETTING if a file is not there, or is not the trial's own
     */
    void files(Path base) throws TrialFailure {
        for (String name : places.files()) {
            Path file = base.resolve(name).normalize();
            try {
                if (Files.exists(file) && !file.toRealPath().startsWith(base.toRealPath())) {
                    throw new TrialFailure(
                            Kind.IMPOSSIBLE_SETTING,
                            name + " is shared with the server's own base, and is not changed");
                }
                if (!Files.isRegularFile(file)) {
                    throw new TrialFailure(
                            Kind.IMPOSSIBLE_SETTING, "there is no file " + name + " in the server's base");
                }
                // ISO 8859-1 keeps every byte as it is, whatever the encoding
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                Folders.writePrivate(file, in(name, text).getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException e) {
                throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, "cannot change " + name + ": " + e.getMessage());
            }
        }
    }

    private String in(String name, String text) throws TrialFailure {
        try {
            return places.in(name, text);
        } catch (ConfigException e) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Target.Jvm jvm(Target.Jvm jvm) {
        if (places.flags().isEmpty()) {
            return jvm;
        }
        var flags = new ArrayList<>(jvm.flags());
        flags.addAll(places.flags()); // of two -D of one name, the JVM takes the last
        return new Target.Jvm(jvm.java(), flags);
    }

    /**
     * Spring Boot turns repeated arguments of one name into a list, so the user's argument is dropped in favour of the
     * setting's.
     */
    @Override
    public List<String> arguments(List<String> arguments) {
        var out = new ArrayList<String>();
        for (String a : arguments) {
            String name =
                    a.startsWith("--") ? BootProperties.canonical(a.substring(2).split("=", 2)[0]) : "";
            if (places.properties().keySet().stream()
                    .noneMatch(p -> BootProperties.canonical(p).equals(name))) {
                out.add(a);
            }
        }
        places.properties().forEach((name, value) -> out.add("--" + name + "=" + value));
        return out;
    }

    @Override
    public List<List<String>> groups(List<List<String>> groups) {
        return groups;
    }

    @Override
    public Map<String, String> environment(Map<String, String> variables) {
        var out = new LinkedHashMap<>(variables);
        out.putAll(places.variables());
        return out;
    }

    @Override
    public Map<String, String> files(Map<String, String> files) throws TrialFailure {
        var out = new LinkedHashMap<String, String>();
        for (var e : files.entrySet()) {
            out.put(e.getKey(), in(e.getKey(), e.getValue()));
        }
        return out;
    }

    @Override
    public Map<String, String> templates(Map<String, String> templates) throws TrialFailure {
        return files(templates);
    }

    @Override
    public URI url(URI url) {
        return url;
    }
}
