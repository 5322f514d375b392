package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.jetty.JettyInis;
import dev.fettle.config.jetty.StartIni;
import dev.fettle.config.patch.UnifiedDiff;
import dev.fettle.config.render.ConfigRenderer;
import dev.fettle.config.tomcat.SetenvText;
import dev.fettle.config.tomcat.TomcatXml;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A configuration as a patch against the user's own files, where a fragment would leave the merging to the user. */
public final class ConfigPatch {
    private static final String PATCH = "fettle.patch";
    private static final String SERVER_XML = "conf/server.xml";
    /** Stands in a text for bytes that are no UTF-8; a patch with it would not fit. */
    private static final char NO_UTF_8 = '\uFFFD';

    private ConfigPatch() {}

    /**
     * The files, with a patch in place of those that it replaces.
     *
     * @param about goes before the patch, as comment lines
     * @throws CliException if the user's files can no longer be read, or have no place for the setting
     */
    public static List<ConfigFile> patched(List<ConfigFile> files, Target target, Setting setting, String about) {
        Optional<Path> folder = target instanceof Target.Standalone s ? OwnFiles.folder(s) : Optional.empty();
        boolean concerned = files.stream()
                .anyMatch(f -> f.kind() == Kind.SERVER_XML || f.kind() == Kind.SETENV || f.kind() == Kind.JETTY_INI);
        if (folder.isEmpty() || !concerned) {
            return files;
        }
        if (target.knownServer().equals(Optional.of(ServerKind.TOMCAT))) {
            return tomcat(files, folder.get(), setting, about);
        }
        if (((Target.Standalone) target).base().isEmpty()) {
            return files; // there are no files of the user's own
        }
        return jetty(files, folder.get(), setting, about);
    }

    private static List<ConfigFile> tomcat(List<ConfigFile> files, Path base, Setting setting, String about) {
        boolean xml = files.stream().anyMatch(f -> f.kind() == Kind.SERVER_XML);
        var others = new ArrayList<ConfigFile>();
        var patch = new StringBuilder(xml ? serverXml(base, setting) : "");
        for (ConfigFile f : files) {
            Optional<String> script = f.kind() == Kind.SETENV ? setenv(base) : Optional.empty();
            List<String> gone =
                    script.map(s -> SetenvText.displaced(s, setting)).orElse(List.of());
            if (gone.isEmpty()) {
                others.add(f);
                continue;
            }
            String before = script.orElseThrow();
            Optional<String> rest = before.indexOf(NO_UTF_8) < 0 ? SetenvText.without(before, gone) : Optional.empty();
            if (rest.isPresent()) {
                String end = rest.get().endsWith("\n") ? "" : "\n";
                patch.append(UnifiedDiff.of(OwnFiles.SETENV, before, rest.get() + end + f.text()));
            } else {
                others.add(f.after(ConfigRenderer.takenOut(gone)));
            }
        }
        return with(others, f -> f.kind() == Kind.SERVER_XML, about, patch.toString());
    }

    /** The user's script; empty if the base has none: the new lines are then all of it. */
    private static Optional<String> setenv(Path base) {
        try {
            Optional<Path> file = OwnFiles.setenvFile(List.of(base));
            return file.isPresent() ? Optional.of(OwnFiles.text(file.get())) : Optional.empty();
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED, "cannot read " + base.resolve(OwnFiles.SETENV) + ": " + e.getMessage(), e);
        }
    }

    private static String serverXml(Path base, Setting setting) {
        Path file = base.resolve(SERVER_XML);
        try {
            byte[] bytes = Files.readAllBytes(file);
            String text = new String(bytes, TomcatXml.charset(bytes));
            return UnifiedDiff.of(
                    SERVER_XML, text, TomcatXml.read(file.toString(), text).with(setting));
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot read " + file + ": " + e.getMessage(), e);
        } catch (ConfigException e) {
            throw new CliException(ExitCodes.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /** Lines in other files that the setting takes the place of become comments; an existing file of Fettle's is extended. */
    private static List<ConfigFile> jetty(List<ConfigFile> files, Path base, Setting setting, String about) {
        try {
            JettyInis inis = JettyInis.read(OwnFiles.inis(base));
            var texts = inis.files().stream().collect(Collectors.toMap(IniFile::path, IniFile::text));
            var patch = new StringBuilder();
            for (IniFile f : inis.with(setting).files()) {
                String before = texts.get(f.path());
                if (before != null) {
                    patch.append(UnifiedDiff.of(f.path(), before, f.text()));
                }
            }
            return with(
                    files,
                    f -> f.path().equals(StartIni.FILE) && texts.containsKey(StartIni.FILE),
                    about,
                    patch.toString());
        } catch (LabException | ConfigException e) {
            throw new CliException(ExitCodes.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private interface Which {
        boolean is(ConfigFile file);
    }

    private static List<ConfigFile> with(List<ConfigFile> files, Which replaced, String about, String patch) {
        var all = new ArrayList<ConfigFile>();
        if (!patch.isEmpty()) {
            all.add(new ConfigFile(Kind.PATCH, PATCH, about + patch));
        }
        files.stream().filter(f -> !replaced.is(f)).forEach(all::add);
        return all;
    }
}
