package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.jetty.JettyInis;
import dev.fettle.config.jetty.StartIni;
import dev.fettle.config.patch.PatchText;
import dev.fettle.config.patch.UnifiedDiff;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jetty's distribution: a home that is never changed, and ini files in the user's {@code jetty.base}. */
final class DistributedJetty implements DistributedServer {
    private static final Pattern VERSION = Pattern.compile("(?:jetty-)?(\\d++\\.\\d++\\.\\d[\\w.-]*)");
    private static final Pattern JAR = Pattern.compile("^jetty-server-(\\d++\\.\\d++\\.\\d[\\w.-]*)\\.jar");

    @Override
    public ServerKind server() {
        return ServerKind.JETTY;
    }

    @Override
    public String artifact() {
        return "org.eclipse.jetty:jetty-home";
    }

    @Override
    public List<String> lines() {
        return List.of("12.0", "12.1");
    }

    @Override
    public String example() {
        return "12.1.12";
    }

    @Override
    public String mark() {
        return "start.jar";
    }

    @Override
    public String configurationMark() {
        return OwnFiles.START_D;
    }

    @Override
    public boolean isBase(Path folder) {
        return Files.isDirectory(folder.resolve(OwnFiles.START_D))
                || Files.isRegularFile(folder.resolve(OwnFiles.START_INI));
    }

    @Override
    public boolean isConfiguredAtHome() {
        return false;
    }

    @Override
    public String version(Path home) throws LabException {
        if (!Files.isReadable(home.resolve(mark())) || !Files.isDirectory(home.resolve("modules"))) {
            throw new LabException(home + " is no Jetty: there is no start.jar with a folder 'modules' in it"
                    + Distribution.hint(home, this));
        }
        Optional<String> version = first(home.resolve("VERSION.txt"));
        if (version.isEmpty()) {
            version = fromJar(home.resolve("lib"));
        }
        return version.orElseThrow(() -> new LabException(
                home + " is no Jetty: neither VERSION.txt nor a lib/jetty-server-….jar says which" + " version it is"));
    }

    private static Optional<String> first(Path versions) throws LabException {
        if (!Files.isReadable(versions)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(versions, StandardCharsets.ISO_8859_1)) {
            return lines.limit(5)
                    .map(VERSION::matcher)
                    .filter(Matcher::lookingAt)
                    .map(m -> m.group(1))
                    .findFirst();
        } catch (IOException e) {
            throw new LabException(versions + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Optional<String> fromJar(Path lib) throws LabException {
        if (!Files.isDirectory(lib)) {
            return Optional.empty();
        }
        try (Stream<Path> jars = Files.list(lib)) {
            return jars.map(j -> JAR.matcher(j.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(m -> m.group(1))
                    .findFirst();
        } catch (IOException e) {
            throw new LabException(lib + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public Setting configured(Target.Standalone target) throws LabException {
        return JettyInis.read(OwnFiles.inis(own(target).orElseThrow())).setting();
    }

    @Override
    public List<String> program() {
        return List.of("etc", "lib", "modules");
    }

    @Override
    public List<String> configuration() {
        return List.of(OwnFiles.START_INI, OwnFiles.START_D, "resources");
    }

    @Override
    public PreparedServer prepare(PrivateServer wanted, Optional<WebApp> app)
            throws TrialFailure, LabException, InterruptedException {
        return JettyBase.prepare(wanted, app);
    }

    @Override
    public void lay(Path home, Optional<Path> own, List<ConfigFile> files, Path into)
            throws IOException, ConfigException, LabException {
        OwnFiles.link(own, Set.of(OwnFiles.START_INI, OwnFiles.START_D, "logs", "work"), into);
        var texts = new LinkedHashMap<String, String>();
        if (own.isPresent()) {
            for (IniFile file : OwnFiles.inis(own.get())) {
                texts.put(file.path(), file.text());
            }
        }
        for (ConfigFile f : OwnFiles.of(Kind.PATCH, files)) {
            texts.putAll(PatchText.applied(f.text(), texts));
        }
        OwnFiles.of(Kind.JETTY_INI, files).forEach(f -> texts.put(f.path(), f.text()));
        Folders.make(into.resolve(OwnFiles.START_D));
        if (texts.isEmpty()) {
            texts.put(OwnFiles.START_D + "/http.ini", "--modules=http\n"); // as in Jetty's own documentation
        }
        for (var text : texts.entrySet()) {
            Folders.writePrivate(into.resolve(text.getKey()), text.getValue());
        }
    }

    /** Lines in other files that the setting takes the place of become comments; an existing file of Fettle's is extended. */
    @Override
    public List<ConfigFile> patched(List<ConfigFile> files, Path own, Setting setting, String about)
            throws ConfigException, LabException {
        JettyInis inis = JettyInis.read(OwnFiles.inis(own));
        var texts = inis.files().stream().collect(Collectors.toMap(IniFile::path, IniFile::text));
        var patch = new StringBuilder();
        for (IniFile f : inis.with(setting).files()) {
            String before = texts.get(f.path());
            if (before != null) {
                patch.append(UnifiedDiff.of(f.path(), before, f.text()));
            }
        }
        return OwnFiles.with(
                files,
                f -> f.path().equals(StartIni.FILE) && texts.containsKey(StartIni.FILE),
                about,
                patch.toString());
    }
}
