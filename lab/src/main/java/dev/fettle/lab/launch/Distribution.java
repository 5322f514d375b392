package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server's distribution: downloaded, or the user's own.
 *
 * @param home CATALINA_HOME or JETTY_HOME; never written to
 * @param version as the distribution states it: {@code 11.0.24}
 */
public record Distribution(ServerKind server, Path home, String version) {
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
        return DistributedServer.of(server).artifact() + ":" + version + ":zip";
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
        String jar = server.rules().library() + "-";
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
        DistributedServer known = DistributedServer.of(server);
        return checked(new Distribution(server, home, known.version(home)), known.lines());
    }

    /** Says what a folder is that is not the server's; empty if that is unknown. */
    static String hint(Path home, DistributedServer not) {
        return DistributedServer.ALL.stream()
                .filter(d -> d != not && Files.exists(home.resolve(d.mark())))
                .map(d -> "; it is a " + d.server().title() + " ('standalone: "
                        + d.server().id() + "')")
                .findFirst()
                .orElse("");
    }

    /** Knobs, their places and how they are read back differ from line to line. */
    private static Distribution checked(Distribution d, List<String> known) throws LabException {
        Matcher m = RELEASE.matcher(d.version);
        if (m.matches() && known.contains(m.group(1) + "." + m.group(2))) {
            return d;
        }
        throw new LabException(
                ("%s is %s; of %s, Fettle knows the lines %s. A command target runs any other, with the knobs that its command"
                                + " or its templates name: docs/targets.md, \"A version that Fettle does not know\"")
                        .formatted(
                                d.home,
                                m.matches() ? "version " + d.version : "of an unknown version, '" + d.version + "'",
                                d.server.title(),
                                String.join(", ", known)));
    }

    /** {@code Tomcat 11.0.24}. */
    String title() {
        return server.title() + " " + version;
    }

    int major() {
        return Integer.parseInt(version.split("\\.", 2)[0]);
    }

    /** The oldest Java feature release that runs it. */
    int oldestJava() {
        return server.rules().oldestJava(major());
    }
}
