package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.patch.PatchText;
import dev.fettle.config.patch.UnifiedDiff;
import dev.fettle.config.process.JvmLine;
import dev.fettle.config.render.ConfigRenderer;
import dev.fettle.config.tomcat.SetenvText;
import dev.fettle.config.tomcat.TomcatXml;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Tomcat's distribution: {@code conf}, {@code setenv.sh}, and a home that may hold its own configuration. */
final class DistributedTomcat implements DistributedServer {
    private static final String SERVER_INFO = "org/apache/catalina/util/ServerInfo.properties";
    private static final String JAR = "lib/catalina.jar";
    private static final String BOOTSTRAP = "bin/bootstrap.jar";
    private static final String JULI = "bin/tomcat-juli.jar";

    @Override
    public ServerKind server() {
        return ServerKind.TOMCAT;
    }

    @Override
    public String artifact() {
        return "org.apache.tomcat:tomcat";
    }

    @Override
    public List<String> lines() {
        return List.of("9.0", "10.1", "11.0");
    }

    @Override
    public String example() {
        return "11.0.24";
    }

    @Override
    public String mark() {
        return JAR;
    }

    @Override
    public boolean isHome(Path folder) {
        return Files.isDirectory(folder.resolve("lib")) && Files.isRegularFile(folder.resolve(BOOTSTRAP));
    }

    @Override
    public String configurationMark() {
        return OwnFiles.SERVER_XML;
    }

    @Override
    public boolean isConfiguredAtHome() {
        return true;
    }

    @Override
    public String version(Path home) throws LabException {
        Path jar = home.resolve(JAR);
        if (!Files.isReadable(jar) || !Files.isReadable(home.resolve(BOOTSTRAP))) {
            throw new LabException(home + " is no Tomcat: there is no lib/catalina.jar with bin/bootstrap.jar in it"
                    + Distribution.hint(home, this));
        }
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            ZipEntry entry = file.getEntry(SERVER_INFO);
            if (entry == null) {
                throw new LabException(home + " is no Tomcat: its lib/catalina.jar does not say which version it is");
            }
            var info = new Properties();
            try (InputStream in = file.getInputStream(entry)) {
                info.load(in);
            }
            String text = info.getProperty("server.info", "");
            return text.substring(text.lastIndexOf('/') + 1).strip();
        } catch (IOException | IllegalArgumentException e) {
            throw new LabException(jar + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public Setting configured(Target.Standalone target) throws IOException, LabException {
        List<Path> folders = Stream.of(target.base(), target.home())
                .flatMap(Optional::stream)
                .map(Path::of)
                .toList();
        var flags = new ArrayList<>(OwnFiles.setenv(folders, Map.of()).flags());
        flags.addAll(target.jvm().flags());
        return JvmLine.read(flags)
                .with(OwnFiles.serverXml(folders.getFirst()).xml().setting());
    }

    @Override
    public List<String> program() {
        return List.of("bin", "lib");
    }

    @Override
    public List<String> configuration() {
        return List.of("conf", "shared");
    }

    @Override
    public String applications(Path base) {
        try {
            return OwnFiles.serverXml(base).xml().appBase();
        } catch (LabException e) {
            return "webapps"; // its launch reports what is wrong
        }
    }

    /** Up to Tomcat 9, web applications are written for {@code javax.servlet}. */
    @Override
    public void check(WebApp app, Distribution distribution) throws LabException {
        if (distribution.major() < 10) {
            app.requireJavax(distribution.title());
        } else {
            app.requireJakarta(distribution.title());
        }
    }

    @Override
    public PreparedServer prepare(PrivateServer wanted, Optional<WebApp> app) throws TrialFailure, LabException {
        return TomcatBase.prepare(wanted);
    }

    @Override
    public void lay(Path home, Optional<Path> own, List<ConfigFile> files, Path into)
            throws IOException, ConfigException, LabException {
        Path original = own.orElse(home);
        OwnFiles.link(own, Set.of("conf", "bin", "logs", "temp", "work"), into);
        OwnFiles.ServerXml there = OwnFiles.serverXml(original);
        String text = there.xml().text();
        for (ConfigFile f : OwnFiles.of(Kind.SERVER_XML, files)) {
            text = TomcatXml.read(OwnFiles.SERVER_XML, text).merged(f.text());
        }
        Optional<Path> setenv = OwnFiles.setenvFile(List.of(original, home));
        String users = setenv.isPresent() ? OwnFiles.text(setenv.get()) : "";
        for (ConfigFile f : OwnFiles.of(Kind.PATCH, files)) {
            Map<String, String> changed =
                    PatchText.applied(f.text(), Map.of(OwnFiles.SERVER_XML, text, OwnFiles.SETENV, users));
            text = changed.getOrDefault(OwnFiles.SERVER_XML, text);
            users = changed.getOrDefault(OwnFiles.SETENV, users);
        }
        Folders.copy(original.resolve("conf"), into.resolve("conf"));
        Folders.writePrivate(into.resolve(OwnFiles.SERVER_XML), text.getBytes(there.charset()));
        var script = new StringBuilder(users);
        for (ConfigFile f : OwnFiles.of(Kind.SETENV, files)) {
            script.append(script.isEmpty() || script.charAt(script.length() - 1) == '\n' ? "" : "\n")
                    .append(f.text());
        }
        Folders.make(into.resolve("bin"));
        Folders.writePrivate(into.resolve(OwnFiles.SETENV), script.toString());
        Path juli = original.resolve(JULI);
        if (own.isPresent() && Files.isReadable(juli)) {
            Files.createSymbolicLink(into.resolve(JULI), juli.toRealPath());
        }
    }

    @Override
    public List<ConfigFile> patched(List<ConfigFile> files, Path own, Setting setting, String about)
            throws ConfigException, LabException {
        boolean xml = files.stream().anyMatch(f -> f.kind() == Kind.SERVER_XML);
        var others = new ArrayList<ConfigFile>();
        var patch = new StringBuilder(xml ? serverXml(own, setting) : "");
        for (ConfigFile f : files) {
            Optional<String> script = f.kind() == Kind.SETENV ? setenv(own) : Optional.empty();
            List<String> gone =
                    script.map(s -> SetenvText.displaced(s, setting)).orElse(List.of());
            if (gone.isEmpty()) {
                others.add(f);
                continue;
            }
            String before = script.orElseThrow();
            Optional<String> rest =
                    before.indexOf(OwnFiles.NO_UTF_8) < 0 ? SetenvText.without(before, gone) : Optional.empty();
            if (rest.isPresent()) {
                String end = rest.get().endsWith("\n") ? "" : "\n";
                patch.append(UnifiedDiff.of(OwnFiles.SETENV, before, rest.get() + end + f.text()));
            } else {
                others.add(f.after(ConfigRenderer.takenOut(gone)));
            }
        }
        return OwnFiles.with(others, f -> f.kind() == Kind.SERVER_XML, about, patch.toString());
    }

    /** The user's script; empty if the base has none: the new lines are then all of it. */
    private static Optional<String> setenv(Path base) throws LabException {
        try {
            Optional<Path> file = OwnFiles.setenvFile(List.of(base));
            return file.isPresent() ? Optional.of(OwnFiles.text(file.get())) : Optional.empty();
        } catch (IOException e) {
            throw new LabException("cannot read " + base.resolve(OwnFiles.SETENV) + ": " + e.getMessage(), e);
        }
    }

    private static String serverXml(Path base, Setting setting) throws ConfigException, LabException {
        Path file = base.resolve(OwnFiles.SERVER_XML);
        try {
            byte[] bytes = Files.readAllBytes(file);
            String text = new String(bytes, TomcatXml.charset(bytes));
            return UnifiedDiff.of(
                    OwnFiles.SERVER_XML,
                    text,
                    TomcatXml.read(file.toString(), text).with(setting));
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
