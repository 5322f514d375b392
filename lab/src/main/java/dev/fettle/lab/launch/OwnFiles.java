package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.tomcat.Setenv;
import dev.fettle.config.tomcat.TomcatXml;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.read.OwnConfiguration;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.NamedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The user's own configuration files of a standalone server: read, never written. */
public final class OwnFiles {
    public static final String SERVER_XML = "conf/server.xml";
    public static final String SETENV = "bin/setenv.sh";
    public static final String START_INI = "start.ini";
    public static final String START_D = "start.d";

    /** Stands in a text for bytes that are no UTF-8; a patch with it would not fit. */
    static final char NO_UTF_8 = '\uFFFD';

    private static final String PATCH = "fettle.patch";
    private static final int MOST_BYTES = 4 << 20;

    /** Access to the user's files and jars for the plan reader. */
    public static final OwnConfiguration CONFIGURATION = new OwnConfiguration() {
        @Override
        public Setting of(Target target) {
            return switch (target) {
                case Target.Standalone s -> setting(s);
                case Target.Boot b -> BootJar.configuration(b).setting();
                default -> Setting.DEFAULT;
            };
        }

        @Override
        public BootApp look(Path jar) {
            return BootJar.of(jar);
        }
    };

    private OwnFiles() {}

    /** A {@code server.xml} and the character set it is written in. */
    public record ServerXml(TomcatXml xml, Charset charset) {}

    /**
     * The knobs set in a target's own files; none if it has no base and no home.
     *
     * @throws IllegalArgumentException with one line for the user, if they can't be read
     */
    static Setting setting(Target.Standalone target) {
        DistributedServer server = DistributedServer.of(target.server());
        try {
            return server.own(target).isPresent() ? server.configured(target) : Setting.DEFAULT;
        } catch (IOException | LabException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * A server that is installed on this machine.
     *
     * @param isHome whether the folder holds its distribution; else it is only a configuration
     * @param needsBase whether a target has to name the folder as its base, too
     * @param example a release of the server
     */
    public record Installed(ServerKind server, boolean isHome, boolean needsBase, String example) {}

    /** The server whose configuration is in a folder. */
    public static Optional<Installed> look(Path folder) {
        return DistributedServer.ALL.stream()
                .filter(d -> d.isBase(folder))
                .map(d -> new Installed(d.server(), d.isHome(folder), !d.isConfiguredAtHome(), d.example()))
                .findFirst();
    }

    /** What {@link #look} looks for, in words: {@code conf/server.xml or start.d}. */
    public static String marks() {
        return DistributedServer.ALL.stream()
                .map(DistributedServer::configurationMark)
                .collect(Collectors.joining(" or "));
    }

    /**
     * Files with a patch against the user's own in place of those that it replaces, which would leave the merging to the user.
     *
     * @param about goes before the patch, as comment lines
     * @throws LabException if the user's files can no longer be read, or have no place for the setting
     */
    public static List<ConfigFile> patched(
            Target.Standalone target, List<ConfigFile> files, Setting setting, String about) throws LabException {
        DistributedServer server = DistributedServer.of(target.server());
        Optional<Path> own = server.own(target);
        boolean concerned = files.stream()
                .anyMatch(f -> f.kind() == Kind.SERVER_XML || f.kind() == Kind.SETENV || f.kind() == Kind.JETTY_INI);
        if (own.isEmpty() || !concerned) {
            return files;
        }
        try {
            return server.patched(files, own.get(), setting, about);
        } catch (ConfigException e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The patch, if it is not empty, and the files that it does not replace. */
    static List<ConfigFile> with(List<ConfigFile> files, Predicate<ConfigFile> replaced, String about, String patch) {
        var all = new ArrayList<ConfigFile>();
        if (!patch.isEmpty()) {
            all.add(new ConfigFile(Kind.PATCH, PATCH, about + patch));
        }
        files.stream().filter(replaced.negate()).forEach(all::add);
        return all;
    }

    /**
     * Lays a rendered configuration down in a folder as the text tells its reader to: in a copy of the user's base, or of the one that the distribution
     * ships, with fragments merged and patches applied.
     *
     * @param into the folder that becomes the base
     * @throws ConfigException if a text does not fit where it goes
     */
    public static void lay(Target.Standalone target, Path home, List<ConfigFile> files, Path into)
            throws ConfigException, LabException {
        try {
            Folders.keepPrivate(into);
            DistributedServer.of(target.server()).lay(home, target.base().map(Path::of), files, into);
        } catch (IOException e) {
            throw new LabException("cannot lay the configuration down in " + into + ": " + e.getMessage(), e);
        }
    }

    static List<ConfigFile> of(Kind kind, List<ConfigFile> files) {
        return files.stream().filter(f -> f.kind() == kind).toList();
    }

    /** Links everything else in the user's base. */
    static void link(Optional<Path> own, Set<String> but, Path into) throws IOException {
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

    /**
     * Reads Tomcat's {@code server.xml}.
     *
     * @throws LabException if there is none, or it can't be read
     */
    public static ServerXml serverXml(Path base) throws LabException {
        Path file = base.resolve(SERVER_XML);
        if (!Files.isReadable(file)) {
            throw new LabException(base + " is no CATALINA_BASE: there is no conf/server.xml in it");
        }
        Charset charset = StandardCharsets.UTF_8;
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new LabException(file + " is larger than " + (MOST_BYTES >> 20) + " MiB");
            }
            byte[] bytes = NamedFile.bytes(file, MOST_BYTES);
            charset = TomcatXml.charset(bytes);
            String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return new ServerXml(TomcatXml.read(file.toString(), text), charset);
        } catch (CharacterCodingException e) {
            throw new LabException(file + " is not written in " + charset + ", as it says", e);
        } catch (ConfigException e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads Tomcat's {@code setenv.sh} from the first folder that has one, as catalina.sh does.
     *
     * @param variables it may use in addition to this process's environment
     */
    static Setenv setenv(List<Path> folders, Map<String, String> variables) throws IOException {
        Optional<Path> file = setenvFile(folders);
        if (file.isEmpty()) {
            return new Setenv(List.of(), Map.of(), List.of());
        }
        var known = new HashMap<>(System.getenv());
        known.keySet()
                .removeAll(List.of("JAVA_OPTS", "CATALINA_OPTS")); // values in this shell are not part of the plan
        known.putAll(variables);
        return Setenv.read(file.get().toString(), text(file.get()), known);
    }

    /** The text of a script or an ini file. A comment may be in any character set: what is no UTF-8 is replaced. */
    public static String text(Path file) throws IOException {
        return new String(NamedFile.bytes(file, MOST_BYTES), StandardCharsets.UTF_8);
    }

    /** The {@code setenv.sh} that catalina.sh would use. */
    public static Optional<Path> setenvFile(List<Path> folders) throws IOException {
        for (Path folder : folders) {
            Path file = folder.resolve(SETENV);
            if (Files.isReadable(file) && Files.size(file) <= MOST_BYTES) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /**
     * Reads Jetty's {@code start.ini} and {@code start.d}.
     *
     * @throws LabException if there are none
     */
    public static List<IniFile> inis(Path base) throws LabException {
        var inis = new ArrayList<IniFile>();
        try {
            Path start = base.resolve(START_INI);
            if (Files.isReadable(start)) {
                inis.add(new IniFile(START_INI, text(start)));
            }
            Path folder = base.resolve(START_D);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file :
                            files.filter(f -> f.toString().endsWith(".ini")).toList()) {
                        inis.add(new IniFile(START_D + "/" + file.getFileName(), text(file)));
                    }
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot read the ini files of " + base + ": " + e.getMessage(), e);
        }
        if (inis.isEmpty()) {
            throw new LabException(base + " is no jetty.base: there is no start.ini and no start.d/*.ini in it");
        }
        return inis;
    }
}
