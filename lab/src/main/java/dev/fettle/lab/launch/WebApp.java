package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Archive;
import dev.fettle.lab.machine.LabException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * What a web application is built for, from its class files and {@code web.xml}; none of its code is run. Only a bounded part
 * is read.
 *
 * @param path the WAR, or its folder
 * @param api the Servlet API its classes refer to
 * @param evidence a class that refers to it; empty if none does
 * @param servlet the version of the Servlet specification in {@code web.xml}: {@code 6.0}
 * @param jsp whether it has JSPs
 */
record WebApp(Path path, Api api, String evidence, Optional<String> servlet, boolean jsp) {
    private static final int MOST_FILES = 20_000;
    private static final int MOST_JARS = 500;
    private static final int MOST_BYTES = 2 << 20;
    private static final int MOST_JAR_BYTES = 64 << 20;
    private static final byte[] JAVAX = "javax/servlet/".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] JAKARTA = "jakarta/servlet/".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern VERSION =
            Pattern.compile("<(?:\\w++:)?+web-app\\b[^<>]*\\sversion\\s*+=\\s*+[\"'](\\d++\\.\\d++)[\"']");

    /** A Servlet API. */
    enum Api {
        /** Up to Servlet 4.0. */
        JAVAX,
        /** From Servlet 5.0 on. */
        JAKARTA,
        /** No class refers to either. */
        NONE
    }

    /**
     * Inspects a WAR or its folder.
     *
     * @throws LabException if it is neither
     */
    static WebApp of(Path path) throws LabException {
        try {
            if (Files.isDirectory(path)) {
                return new Scan(path).folder();
            }
            return new Scan(path).archive();
        } catch (ZipException e) {
            throw new LabException(path + " is no WAR: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new LabException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Rejects an application that the server can't serve, before anything is launched.
     *
     * @param server its name in messages
     * @throws LabException if its classes refer to {@code javax.servlet} only
     */
    void requireJakarta(String server) throws LabException {
        if (api == Api.JAVAX) {
            throw new LabException(("%s is built for javax.servlet (%s), and %s serves jakarta.servlet: convert it with"
                            + " Apache's migration tool for Jakarta EE, or take its version for Jakarta EE 10 or 11")
                    .formatted(path, evidence, server));
        }
    }

    /**
     * Rejects an application that an older server can't serve, before anything is launched.
     *
     * @param server its name in messages
     * @throws LabException if its classes refer to {@code jakarta.servlet}
     */
    void requireJavax(String server) throws LabException {
        if (api == Api.JAKARTA) {
            throw new LabException(
                    ("%s is built for jakarta.servlet (%s), and %s serves javax.servlet: take Tomcat 10.1 or 11,"
                                    + " or the application's version for Java EE 8")
                            .formatted(path, evidence, server));
        }
    }

    /** Reads the application's files, from an archive or a folder. */
    private interface Source {
        InputStream open(String name) throws IOException;
    }

    private static final class Scan {
        private final Path path;
        private String javax = "";
        private String jakarta = "";
        private Function<InputStream, ZipInputStream> inner = ZipInputStream::new;

        Scan(Path path) {
            this.path = path;
        }

        WebApp folder() throws IOException {
            try (Stream<Path> files = Files.walk(path)) {
                List<String> names = files.filter(Files::isRegularFile)
                        .limit(MOST_FILES)
                        .map(f -> path.relativize(f).toString())
                        .toList();
                return look(names, name -> Files.newInputStream(path.resolve(name)));
            }
        }

        WebApp archive() throws IOException {
            try (Archive archive = Archive.open(path)) {
                inner = archive::within;
                return look(
                        List.copyOf(archive.names(MOST_FILES)),
                        name -> archive.entry(name).orElseThrow(() -> new IOException("no entry " + name)));
            }
        }

        /** The application's own classes decide; its libraries only if those refer to neither API. */
        private WebApp look(List<String> names, Source source) throws IOException {
            Optional<String> servlet = Optional.empty();
            boolean jsp = false;
            for (String name : names) {
                String lower = name.toLowerCase(Locale.ROOT);
                if (name.startsWith("WEB-INF/classes/") && name.endsWith(".class") && jakarta.isEmpty()) {
                    try (InputStream in = source.open(name)) {
                        classFile(name, in.readNBytes(MOST_BYTES));
                    }
                } else if (name.equals("WEB-INF/web.xml")) {
                    try (InputStream in = source.open(name)) {
                        Matcher m = VERSION.matcher(new String(in.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1));
                        servlet = m.find() ? Optional.of(m.group(1)) : Optional.empty();
                    }
                }
                jsp |= lower.endsWith(".jsp") || lower.endsWith(".jspx");
            }
            if (javax.isEmpty() && jakarta.isEmpty()) {
                libraries(names, source);
            }
            Api api = !jakarta.isEmpty() ? Api.JAKARTA : !javax.isEmpty() ? Api.JAVAX : Api.NONE;
            return new WebApp(path, api, jakarta.isEmpty() ? javax : jakarta, servlet, jsp);
        }

        private void libraries(List<String> names, Source source) throws IOException {
            List<String> jars = names.stream()
                    .filter(n -> n.startsWith("WEB-INF/lib/") && n.endsWith(".jar"))
                    .limit(MOST_JARS)
                    .toList();
            for (String jar : jars) {
                if (!jakarta.isEmpty()) {
                    return;
                }
                try (InputStream in = source.open(jar)) {
                    library(jar, in.readNBytes(MOST_JAR_BYTES));
                }
            }
        }

        private void library(String jar, byte[] bytes) throws IOException {
            int classes = 0;
            try (ZipInputStream in = inner.apply(new ByteArrayInputStream(bytes))) {
                for (ZipEntry e = in.getNextEntry();
                        e != null && jakarta.isEmpty() && classes < MOST_FILES;
                        e = in.getNextEntry()) {
                    if (e.getName().endsWith(".class")) {
                        classes++;
                        classFile(jar + "!/" + e.getName(), in.readNBytes(MOST_BYTES));
                    }
                }
            } catch (ZipException e) {
                return; // a damaged library is for the server to report
            }
        }

        /** Class files contain the names of classes they refer to as plain text. */
        private void classFile(String name, byte[] bytes) {
            if (jakarta.isEmpty() && contains(bytes, JAKARTA)) {
                jakarta = name;
            } else if (javax.isEmpty() && contains(bytes, JAVAX)) {
                javax = name;
            }
        }

        private static boolean contains(byte[] bytes, byte[] wanted) {
            for (int i = 0; i + wanted.length <= bytes.length; i++) {
                int j = 0;
                while (j < wanted.length && bytes[i + j] == wanted[j]) {
                    j++;
                }
                if (j == wanted.length) {
                    return true;
                }
            }
            return false;
        }
    }
}
