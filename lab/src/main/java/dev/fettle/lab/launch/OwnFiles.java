package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.jetty.JettyInis;
import dev.fettle.config.process.JvmLine;
import dev.fettle.config.tomcat.Setenv;
import dev.fettle.config.tomcat.TomcatXml;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.read.OwnConfiguration;
import dev.fettle.model.target.Target;
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
import java.util.stream.Stream;

/** The user's own configuration files of a standalone server: read, never written. */
public final class OwnFiles {
    public static final String SERVER_XML = "conf/server.xml";
    public static final String SETENV = "bin/setenv.sh";
    public static final String START_INI = "start.ini";
    public static final String START_D = "start.d";

    private static final long MOST_BYTES = 4 << 20;

    /** Access to the user's files and jars for the plan reader. */
    public static final OwnConfiguration CONFIGURATION = new OwnConfiguration() {
        @Override
        public Setting of(Target.Standalone target) {
            return setting(target);
        }

        @Override
        public Setting of(Target.Boot target) {
            return BootJar.configuration(target).setting();
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
        Optional<Path> from = folder(target);
        try {
            if (from.isEmpty()) {
                return Setting.DEFAULT;
            }
            if (target.server() == ServerKind.JETTY) {
                return target.base().isEmpty()
                        ? Setting.DEFAULT
                        : JettyInis.read(inis(from.get())).setting();
            }
            List<Path> folders = Stream.of(target.base(), target.home())
                    .flatMap(Optional::stream)
                    .map(Path::of)
                    .toList();
            var flags = new ArrayList<>(setenv(folders, Map.of()).flags());
            flags.addAll(target.jvm().flags());
            return JvmLine.read(flags)
                    .setting()
                    .with(serverXml(from.get()).xml().setting());
        } catch (IOException | LabException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The folder of the user's configuration for a target, if there is one: the base, or else the home. */
    public static Optional<Path> folder(Target.Standalone target) {
        return target.base().or(target::home).map(Path::of);
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
            byte[] bytes = Files.readAllBytes(file);
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
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
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
