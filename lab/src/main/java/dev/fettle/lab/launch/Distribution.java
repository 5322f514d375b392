package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A server's distribution: downloaded, or the user's own.
 *
 * @param home CATALINA_HOME or JETTY_HOME; never written to
 * @param version as the distribution states it: {@code 11.0.24}
 */
public record Distribution(ServerKind server, Path home, String version) {
    private static final String SERVER_INFO = "org/apache/catalina/util/ServerInfo.properties";
    private static final Pattern JETTY_VERSION = Pattern.compile("(?:jetty-)?(\\d++\\.\\d++\\.\\d[\\w.-]*)");
    private static final Pattern JETTY_JAR = Pattern.compile("^jetty-server-(\\d++\\.\\d++\\.\\d[\\w.-]*)\\.jar");
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");

    /** The distribution a target names; downloaded and unpacked once if missing. */
    public static Distribution of(Target.Standalone target, Artifacts artifacts)
            throws LabException, InterruptedException {
        if (target.home().isPresent()) {
            return at(target.server(), Path.of(target.home().get()));
        }
        String version = target.version().orElseThrow();
        Path folder = folder(target.server(), version, artifacts);
        if (!Files.isDirectory(folder)) {
            unpack(artifacts.file(coordinates(target.server(), version)), artifacts.folder(), folder);
        }
        return at(target.server(), only(folder));
    }

    private static Path folder(ServerKind server, String version, Artifacts artifacts) throws LabException {
        return artifacts.folder().resolve(server.id() + "-" + version);
    }

    private static String coordinates(ServerKind server, String version) {
        return server == ServerKind.TOMCAT
                ? "org.apache.tomcat:tomcat:" + version + ":zip"
                : "org.eclipse.jetty:jetty-home:" + version + ":zip";
    }

    /** Whether the distribution a target names is already there. */
    public static boolean isThere(Target.Standalone target, Artifacts artifacts) throws LabException {
        return target.version().isEmpty()
                || Files.isDirectory(folder(target.server(), target.version().get(), artifacts))
                || artifacts.isThere(
                        coordinates(target.server(), target.version().get()));
    }

    /** The version of a server that Fettle embeds. */
    public static String embedded(Path fettle, ServerKind server) throws LabException {
        String jar = server == ServerKind.TOMCAT ? "tomcat-embed-core-" : "jetty-server-";
        Path lib = fettle.resolve("servers/build/lib");
        try (Stream<Path> files = Files.list(lib)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> f.startsWith(jar) && f.endsWith(".jar"))
                    .map(f -> f.substring(jar.length(), f.length() - ".jar".length()))
                    .findFirst()
                    .orElseThrow(() -> new LabException("there is no " + jar + "….jar in " + lib));
        } catch (IOException e) {
            throw new LabException("cannot read " + lib + ": build Fettle first (./fettle does)", e);
        }
    }

    private static void unpack(Path archive, Path artifacts, Path folder) throws LabException {
        Path fresh = Workspace.fresh(artifacts, "unpacking");
        try {
            new Unzip().into(archive, fresh);
            if (!Files.isDirectory(folder)) {
                Files.move(fresh, folder);
            }
        } catch (IOException e) {
            throw new LabException("cannot unpack " + archive + ": " + e.getMessage(), e);
        } finally {
            try {
                Folders.delete(fresh);
            } catch (IOException e) {
                fresh.toFile().deleteOnExit(); // useless, but harmless
            }
        }
    }

    /** Distributions have one folder at their root. */
    private static Path only(Path folder) throws LabException {
        try (Stream<Path> children = Files.list(folder)) {
            List<Path> all = children.toList();
            if (all.size() == 1) {
                return all.getFirst();
            }
        } catch (IOException e) {
            throw new LabException("cannot read " + folder + ": " + e.getMessage(), e);
        }
        throw new LabException(folder + " is no unpacked distribution: it should hold one folder; delete it, and it is"
                + " fetched again");
    }

    /**
     * The server in a folder.
     *
     * @throws LabException if it is something else, or a version that Fettle does not know
     */
    static Distribution at(ServerKind server, Path home) throws LabException {
        return server == ServerKind.TOMCAT ? tomcat(home) : jetty(home);
    }

    private static Distribution tomcat(Path home) throws LabException {
        Path jar = home.resolve("lib/catalina.jar");
        if (!Files.isReadable(jar) || !Files.isReadable(home.resolve("bin/bootstrap.jar"))) {
            throw new LabException(home + " is no Tomcat: there is no lib/catalina.jar with bin/bootstrap.jar in it"
                    + hint(home, "start.jar", "Jetty", "standalone: jetty"));
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
            String version = text.substring(text.lastIndexOf('/') + 1).strip();
            return checked(new Distribution(ServerKind.TOMCAT, home, version), "9.0", "10.1", "11.0");
        } catch (IOException | IllegalArgumentException e) {
            throw new LabException(jar + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Distribution jetty(Path home) throws LabException {
        if (!Files.isReadable(home.resolve("start.jar")) || !Files.isDirectory(home.resolve("modules"))) {
            throw new LabException(home + " is no Jetty: there is no start.jar with a folder 'modules' in it"
                    + hint(home, "lib/catalina.jar", "Tomcat", "standalone: tomcat"));
        }
        Optional<String> version = first(home.resolve("VERSION.txt"));
        if (version.isEmpty()) {
            version = fromJar(home.resolve("lib"));
        }
        if (version.isEmpty()) {
            throw new LabException(home + " is no Jetty: neither VERSION.txt nor a lib/jetty-server-….jar says which"
                    + " version it is");
        }
        return checked(new Distribution(ServerKind.JETTY, home, version.get()), "12.0", "12.1");
    }

    private static String hint(Path home, String file, String other, String plan) {
        return Files.exists(home.resolve(file)) ? "; it is a " + other + " ('" + plan + "')" : "";
    }

    private static Optional<String> first(Path versions) throws LabException {
        if (!Files.isReadable(versions)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(versions, StandardCharsets.ISO_8859_1)) {
            return lines.limit(5)
                    .map(JETTY_VERSION::matcher)
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
            return jars.map(j -> JETTY_JAR.matcher(j.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(m -> m.group(1))
                    .findFirst();
        } catch (IOException e) {
            throw new LabException(lib + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Knobs, their places and how they are read back differ from line to line. */
    private static Distribution checked(Distribution d, String... known) throws LabException {
        Matcher m = RELEASE.matcher(d.version);
        if (m.matches() && List.of(known).contains(m.group(1) + "." + m.group(2))) {
            return d;
        }
        throw new LabException(
                ("%s is %s; of %s, Fettle knows the lines %s. A command target runs any other, with the knobs that its command"
                                + " or its templates name: docs/targets.md, \"A version that Fettle does not know\"")
                        .formatted(
                                d.home,
                                m.matches() ? "version " + d.version : "of an unknown version, '" + d.version + "'",
                                d.server == ServerKind.TOMCAT ? "Tomcat" : "Jetty",
                                String.join(", ", known)));
    }

    /** Whether its web applications are written for {@code javax.servlet}: up to Tomcat 9. */
    boolean javax() {
        return server == ServerKind.TOMCAT && major() < 10;
    }

    /** {@code Tomcat 11.0.24}. */
    String title() {
        return (server == ServerKind.TOMCAT ? "Tomcat " : "Jetty ") + version;
    }

    int major() {
        return Integer.parseInt(version.split("\\.", 2)[0]);
    }

    /** The oldest Java feature release that runs it. Tomcat 9 itself would run on 8, but the agent that reads it needs 11. */
    int oldestJava() {
        return server == ServerKind.TOMCAT && major() <= 10 ? 11 : 17;
    }
}
