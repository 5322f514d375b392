package dev.fettle.lab.remote;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What another machine needs to run commands of this very Fettle: the libraries of the running one, a script that finds a JDK, and one
 * that starts it. Named by its content, so that it is copied once a version; both ends have the same classes, whatever was built where.
 */
public final class HostPack {
    private static final String RESOURCES = "/dev/fettle/lab/remote/";
    private static final int BLOCK = 512;

    /** 2020-01-01: tar warns of files that are much older. */
    private static final long MADE = 1_577_836_800L;

    private final Map<String, Part> parts;
    private final String digest;

    /** A file of it: one that lies here, or one that was made. */
    private record Part(byte[] made, Path file, long size, String sha256) {
        private static final byte[] NOTHING = {};

        static Part of(byte[] made) {
            return new Part(made, Path.of(""), made.length, Sha256.hex(made));
        }

        static Part of(Path file) throws IOException {
            MessageDigest sum = Sha256.digester();
            long size = 0;
            var buffer = new byte[1 << 16];
            try (InputStream in = Files.newInputStream(file)) {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    sum.update(buffer, 0, n);
                    size += n;
                }
            }
            return new Part(NOTHING, file, size, HexFormat.of().formatHex(sum.digest()));
        }

        InputStream open() throws IOException {
            return file.toString().isEmpty() ? new ByteArrayInputStream(made) : Files.newInputStream(file);
        }
    }

    private HostPack(Map<String, Part> parts) {
        this.parts = parts;
        this.digest = Sha256.hex(sums().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Of the running Fettle.
     *
     * @param home Fettle's folder, where the script that finds a JDK is
     * @param classPath the running class path: jars and folders of classes
     * @throws LabException if a part of it can't be read
     */
    public static HostPack of(Path home, String classPath) throws LabException {
        var parts = new LinkedHashMap<String, Part>();
        var names = new ArrayList<String>();
        try {
            for (String entry : classPath.split(":", -1)) {
                if (entry.isEmpty() || !Files.exists(Path.of(entry))) {
                    continue;
                }
                String name = "lib/%03d.jar".formatted(names.size());
                names.add("$d/" + name);
                Path path = Path.of(entry);
                parts.put(name, Files.isDirectory(path) ? Part.of(jar(path)) : Part.of(path));
            }
            parts.put("jdk.sh", Part.of(home.resolve("dist/jdk.sh")));
            String start = resource("start.sh").replace("CLASS_PATH", String.join(":", names));
            parts.put("start.sh", Part.of(start.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new LabException("what another machine needs of Fettle can't be put together: " + e.getMessage(), e);
        }
        return new HostPack(parts);
    }

    static String resource(String name) throws IOException {
        try (InputStream in = HostPack.class.getResourceAsStream(RESOURCES + name)) {
            if (in == null) {
                throw new IOException("no " + name + " in Fettle's own classes");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The SHA-256 of all of it, in hexadecimal: its name on other machines. */
    public String digest() {
        return digest;
    }

    /** In bytes. */
    public long size() {
        return parts.values().stream().mapToLong(Part::size).sum();
    }

    private String sums() {
        var out = new StringBuilder();
        parts.forEach((name, part) ->
                out.append(part.sha256()).append("  ").append(name).append('\n'));
        return out.toString();
    }

    /** Writes it as a tar archive, with a file SUMS for {@code sha256sum -c}. */
    void write(OutputStream out) throws IOException {
        header(out, "lib/", 0, '5');
        for (var part : parts.entrySet()) {
            try (InputStream in = part.getValue().open()) {
                entry(out, part.getKey(), part.getValue().size(), in);
            }
        }
        byte[] sums = sums().getBytes(StandardCharsets.UTF_8);
        entry(out, "SUMS", sums.length, new ByteArrayInputStream(sums));
        out.write(new byte[2 * BLOCK]);
        out.flush();
    }

    private static void entry(OutputStream out, String name, long size, InputStream in) throws IOException {
        header(out, name, size, '0');
        long written = in.transferTo(out);
        if (written != size) {
            throw new IOException(name + " has changed while it was copied");
        }
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    /** As POSIX.1-1988 has it (ustar). */
    private static void header(OutputStream out, String name, long size, char type) throws IOException {
        var block = new byte[BLOCK];
        put(block, 0, name);
        put(block, 100, type == '5' ? "0000700" : "0000600");
        put(block, 108, "0000000");
        put(block, 116, "0000000");
        put(block, 124, "%011o".formatted(size));
        put(block, 136, "%011o".formatted(MADE));
        put(block, 148, "        ");
        block[156] = (byte) type;
        put(block, 257, "ustar");
        put(block, 263, "00");
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        put(block, 148, "%06o\0 ".formatted(sum));
        out.write(block);
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    /** A folder of classes as a jar: the same bytes for the same classes. */
    private static byte[] jar(Path folder) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(out);
                Stream<Path> all = Files.walk(folder)) {
            zip.setLevel(1);
            List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
            for (Path file : files) {
                var entry = new ZipEntry(folder.relativize(file).toString());
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return out.toByteArray();
    }
}
