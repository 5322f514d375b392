package dev.fettle.lab.check;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.patch.PatchText;
import dev.fettle.config.tomcat.TomcatXml;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Installs a rendered configuration as its reader is told to: into the user's base, or the one the distribution ships, with
 * fragments merged and patches applied.
 */
final class RenderedBase {
    private final Path home;
    private final Optional<Path> own;
    private final RenderedConfig config;
    private final Path into;

    private RenderedBase(Target.Standalone target, Path home, RenderedConfig config, Path into) {
        this.home = home;
        this.own = target.base().map(Path::of);
        this.config = config;
        this.into = into;
    }

    /**
     * A copy of the target with the installed base in place of its own.
     *
     * @param into the folder that becomes the base
     * @throws ConfigException if a text does not fit where it goes
     */
    static Target.Standalone laid(Target.Standalone target, Path home, RenderedConfig config, Path into)
            throws ConfigException, LabException {
        var base = new RenderedBase(target, home, config, into);
        try {
            Folders.keepPrivate(into);
            switch (target.server()) {
                case TOMCAT -> base.tomcat();
                case JETTY -> base.jetty();
                case UNDERTOW -> throw new LabException("Undertow has no distribution");
            }
        } catch (IOException e) {
            throw new LabException("cannot lay the configuration down in " + into + ": " + e.getMessage(), e);
        }
        return target.with()
                .base(Optional.of(into.toString()))
                .configured(Setting.DEFAULT)
                .build();
    }

    private void tomcat() throws IOException, ConfigException, LabException {
        Path original = own.orElse(home);
        link(Set.of("conf", "bin", "logs", "temp", "work"));
        OwnFiles.ServerXml there = OwnFiles.serverXml(original);
        String text = there.xml().text();
        for (ConfigFile f : config.of(Kind.SERVER_XML)) {
            text = TomcatXml.read(OwnFiles.SERVER_XML, text).merged(f.text());
        }
        Optional<Path> setenv = OwnFiles.setenvFile(List.of(original, home));
        String users = setenv.isPresent() ? OwnFiles.text(setenv.get()) : "";
        for (ConfigFile f : config.of(Kind.PATCH)) {
            Map<String, String> changed =
                    PatchText.applied(f.text(), Map.of(OwnFiles.SERVER_XML, text, OwnFiles.SETENV, users));
            text = changed.getOrDefault(OwnFiles.SERVER_XML, text);
            users = changed.getOrDefault(OwnFiles.SETENV, users);
        }
        Folders.copy(original.resolve("conf"), into.resolve("conf"));
        Folders.writePrivate(into.resolve(OwnFiles.SERVER_XML), text.getBytes(there.charset()));
        var script = new StringBuilder(users);
        for (ConfigFile f : config.of(Kind.SETENV)) {
            script.append(script.isEmpty() || script.charAt(script.length() - 1) == '\n' ? "" : "\n")
                    .append(f.text());
        }
        Folders.make(into.resolve("bin"));
        Folders.writePrivate(into.resolve(OwnFiles.SETENV), script.toString());
        Path juli = original.resolve("bin/tomcat-juli.jar");
        if (own.isPresent() && Files.isReadable(juli)) {
            Files.createSymbolicLink(into.resolve("bin/tomcat-juli.jar"), juli.toRealPath());
        }
    }

    private void jetty() throws IOException, ConfigException, LabException {
        link(Set.of(OwnFiles.START_INI, OwnFiles.START_D, "logs", "work"));
        var texts = new LinkedHashMap<String, String>();
        if (own.isPresent()) {
            for (IniFile file : OwnFiles.inis(own.get())) {
                texts.put(file.path(), file.text());
            }
        }
        for (ConfigFile f : config.of(Kind.PATCH)) {
            texts.putAll(PatchText.applied(f.text(), texts));
        }
        config.of(Kind.JETTY_INI).forEach(f -> texts.put(f.path(), f.text()));
        Folders.make(into.resolve(OwnFiles.START_D));
        if (texts.isEmpty()) {
            texts.put(OwnFiles.START_D + "/http.ini", "--modules=http\n"); // as in Jetty's own documentation
        }
        for (var text : texts.entrySet()) {
            Folders.writePrivate(into.resolve(text.getKey()), text.getValue());
        }
    }

    /** Links everything else in the user's base. */
    private void link(Set<String> but) throws IOException {
        if (own.isEmpty()) {
            return;
        }
        try (Stream<Path> all = Files.list(own.get())) {
            for (Path one : all.toList()) {
                if (!but.contains(one.getFileName().toString())) {
                    Files.createSymbolicLink(into.resolve(one.getFileName()), one.toRealPath());
                }
            }
        }
    }
}
