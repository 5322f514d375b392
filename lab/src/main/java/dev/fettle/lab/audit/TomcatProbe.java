package dev.fettle.lab.audit;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.lab.machine.Archive;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Looks up in a Tomcat's class files whether it has a property for each attribute of a {@code server.xml}. The files are read as data, a
 * dozen of them and each up to a limit: no class is loaded, and nothing is started.
 */
public final class TomcatProbe {
    private static final int MOST = 300;
    private static final Pattern NAME = Pattern.compile("(?:Connector|Executor)\\.[A-Za-z][\\w.]{1,60}");

    private static final long LARGEST_JAR = 64 << 20;
    private static final int LARGEST_FILE = 1 << 20;

    /** A class of Tomcat has half as many above it. */
    private static final int DEEPEST = 12;

    private static final String VERSION_FILE = "org/apache/catalina/util/ServerInfo.properties";
    private static final Pattern VERSION = Pattern.compile("(?m)^server\\.number=(\\d{1,4}(?:\\.\\d{1,4}){1,3})\\s*$");

    private static final String CONNECTOR = "org/apache/catalina/connector/Connector";
    private static final String EXECUTOR = "org/apache/catalina/core/StandardThreadExecutor";

    /** What a connector for HTTP/1.1 hands on what it has no property for; the last two are the default up to Tomcat 7. */
    private static final List<String> BEHIND = List.of(
            "org/apache/coyote/http11/Http11NioProtocol",
            "org/apache/tomcat/util/net/NioEndpoint",
            "org/apache/coyote/http11/Http11Protocol",
            "org/apache/tomcat/util/net/JIoEndpoint");

    private static final String SOCKET = "org/apache/tomcat/util/net/SocketProperties";
    private static final String SOCKET_PREFIX = "socket.";

    /** Names that a connector of Tomcat 8 and before hands on under another one: its {@code replacements}. */
    private static final Map<String, String> ALSO =
            Map.of("acceptCount", "backlog", "connectionLinger", "soLinger", "connectionTimeout", "soTimeout");

    /** A setter with one parameter; and one of a type that Tomcat makes of a text: its {@code IntrospectionUtils}. */
    private static final Pattern ANY = Pattern.compile("\\((?:\\[*+(?:[BCDFIJSZ]|L[^;()]++;))\\).*+");

    private static final Pattern OF_TEXT =
            Pattern.compile("\\((?:[IJZ]|Ljava/lang/(?:String|Integer|Long|Boolean);|Ljava/net/InetAddress;)\\).*+");

    private final List<Path> jars;

    private TomcatProbe(List<Path> jars) {
        this.jars = List.copyOf(jars);
    }

    /** Of a folder that the user has named; empty if no Tomcat is in it. */
    public static Optional<TomcatProbe> of(Path home) {
        return in(home.resolve("lib"));
    }

    /** Of the Tomcat that a {@code server.xml} lies in. Links are not followed: they may lead anywhere. */
    public static Optional<TomcatProbe> around(Path serverXml) {
        Path conf = serverXml.toAbsolutePath().normalize().getParent();
        if (conf == null || conf.getParent() == null) {
            return Optional.empty();
        }
        Path lib = conf.getParent().resolve("lib");
        return Files.isDirectory(lib, LinkOption.NOFOLLOW_LINKS)
                ? in(lib, LinkOption.NOFOLLOW_LINKS)
                : Optional.empty();
    }

    /** Of the Tomcat that Fettle embeds; empty if it is not built. */
    public static Optional<TomcatProbe> embedded(Path fettle) {
        Path lib = fettle.resolve("servers/build/lib");
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(f -> f.getFileName().toString().startsWith("tomcat-embed-core-"))
                    .findFirst()
                    .map(jar -> new TomcatProbe(List.of(jar)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<TomcatProbe> in(Path lib, LinkOption... links) {
        List<Path> jars = Stream.of("catalina.jar", "tomcat-coyote.jar")
                .map(lib::resolve)
                .filter(f -> Files.isRegularFile(f, links) && Files.isReadable(f))
                .toList();
        return jars.isEmpty() || !jars.getFirst().endsWith("catalina.jar")
                ? Optional.empty()
                : Optional.of(new TomcatProbe(jars));
    }

    /** The answers, and the release; empty if the files don't say. */
    record Said(Optional<String> version, List<Probe> probes) {}

    /**
     * Looks up the attributes that are found.
     *
     * @throws IOException if these files are not a Tomcat's; the message says why
     */
    Said probe(List<FoundSetting> found) throws IOException {
        Set<String> others = found.stream()
                .filter(f -> f.name().equals("Connector.protocol") && f.value().startsWith("AJP"))
                .map(f -> f.place().file() + f.scope())
                .collect(Collectors.toSet());
        Set<String> asked = found.stream()
                .filter(f ->
                        f.kind() == SettingKind.TOMCAT && NAME.matcher(f.name()).matches())
                .filter(f -> !others.contains(f.place().file() + f.scope())
                        && !f.value().contains("${"))
                .limit(MOST)
                .map(FoundSetting::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (asked.isEmpty()) {
            return new Said(Optional.empty(), List.of());
        }
        var opened = new ArrayList<ZipFile>();
        try {
            for (Path jar : jars) {
                if (Files.size(jar) > LARGEST_JAR) {
                    throw new IOException(jar + " is larger than any of Tomcat's");
                }
                opened.add(Archive.zip(jar));
            }
            return answers(asked, new Classes(opened));
        } catch (IOException | RuntimeException e) { // of a file that is no jar or no class, anything
            throw new IOException(jars.getFirst() + " is not a Tomcat's: " + e.getMessage(), e);
        } finally {
            for (ZipFile z : opened) {
                z.close();
            }
        }
    }

    private static Said answers(Set<String> asked, Classes classes) throws IOException {
        Matcher m = VERSION.matcher(new String(classes.file(VERSION_FILE), StandardCharsets.ISO_8859_1));
        Optional<String> version =
                m.find() ? Optional.of(m.group(1).replaceFirst("^(\\d+\\.\\d+\\.\\d+)\\.0$", "$1")) : Optional.empty();
        Set<String> connector = classes.properties(CONNECTOR, ANY);
        Set<String> executor = classes.properties(EXECUTOR, ANY);
        if (connector.isEmpty() || executor.isEmpty()) {
            throw new IOException("it has no connector or no executor");
        }
        for (String c : BEHIND) {
            connector.addAll(classes.properties(c, OF_TEXT));
        }
        classes.properties(SOCKET, OF_TEXT).forEach(p -> connector.add(SOCKET_PREFIX + p));
        connector.addAll(List.of("executor", "protocol"));
        executor.add("className");
        var probes = new ArrayList<Probe>();
        for (String a : asked) {
            String name = a.substring(a.indexOf('.') + 1);
            Set<String> has = a.startsWith("Connector.") ? connector : executor;
            boolean known =
                    has.contains(decapitalised(name)) || has.contains(ALSO.getOrDefault(name, decapitalised(name)));
            probes.add(new Probe(
                    a,
                    "Tomcat " + version.orElse(""),
                    known ? Outcome.ACCEPTED : Outcome.ABSENT,
                    known ? "" : "it has no such property: a warning, and no effect",
                    Optional.empty()));
        }
        return new Said(version, probes);
    }

    /** The first letter is the setter's, in which it is a capital one. */
    private static String decapitalised(String name) {
        int at = name.startsWith(SOCKET_PREFIX) ? SOCKET_PREFIX.length() : 0;
        return at == name.length()
                ? name
                : name.substring(0, at) + name.substring(at, at + 1).toLowerCase(Locale.ROOT) + name.substring(at + 1);
    }

    /** Class files in jars, not one of which is loaded. */
    private record Classes(List<ZipFile> jars, Map<String, Optional<ClassModel>> read) {
        Classes(List<ZipFile> jars) {
            this(jars, new HashMap<>());
        }

        /** A file in the first jar that has it; empty if none has it. */
        byte[] file(String name) throws IOException {
            for (ZipFile jar : jars) {
                ZipEntry entry = jar.getEntry(name);
                if (entry != null) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        byte[] bytes = in.readNBytes(LARGEST_FILE + 1);
                        if (bytes.length > LARGEST_FILE) {
                            throw new IOException(name + " in it is larger than any of Tomcat's");
                        }
                        return bytes;
                    }
                }
            }
            return new byte[0];
        }

        /** The properties that a class, and those above it in the jars, have a public setter for. */
        Set<String> properties(String ofClass, Pattern parameter) throws IOException {
            var out = new HashSet<String>();
            String name = ofClass;
            for (int i = 0; i < DEEPEST; i++) {
                Optional<ClassModel> model = model(name);
                if (model.isEmpty()) {
                    break;
                }
                for (MethodModel m : model.get().methods()) {
                    String setter = m.methodName().stringValue();
                    if (setter.length() > 3
                            && setter.startsWith("set")
                            && (m.flags().flagsMask() & ClassFile.ACC_PUBLIC) != 0
                            && parameter.matcher(m.methodType().stringValue()).matches()) {
                        out.add(decapitalised(setter.substring(3)));
                    }
                }
                Optional<ClassEntry> above = model.get().superclass();
                if (above.isEmpty()) {
                    break;
                }
                name = above.get().asInternalName();
            }
            return out;
        }

        private Optional<ClassModel> model(String name) throws IOException {
            Optional<ClassModel> there = read.get(name);
            if (there == null) {
                byte[] bytes = file(name + ".class");
                there = bytes.length == 0
                        ? Optional.empty()
                        : Optional.of(ClassFile.of().parse(bytes));
                read.put(name, there);
            }
            return there;
        }
    }
}
