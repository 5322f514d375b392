package dev.fettle.lab.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Web applications and archives for tests. */
final class Wars {
    static final String JSP = "<%@ page contentType=\"text/plain\" %>sum ${20 + 1} on <%= request.getContextPath() %>!";

    private static final String WEB_XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">%s</web-app>
            """;

    private Wars() {}

    /** A folder with a JSP. */
    static Path folder(Path at, String inWebXml) throws IOException {
        Files.createDirectories(at.resolve("WEB-INF"));
        Files.writeString(at.resolve("index.jsp"), JSP);
        Files.writeString(at.resolve("WEB-INF/web.xml"), WEB_XML.formatted(inWebXml));
        return at;
    }

    /** A zip archive; names may be anything. */
    static Path zip(Path file, Map<String, byte[]> entries) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                var zip = new ZipOutputStream(out)) {
            for (var e : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(e.getKey()));
                zip.write(e.getValue());
                zip.closeEntry();
            }
        }
        return file;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The beginning of a class file that names another class. */
    static byte[] classNaming(String name) {
        return bytes("\u00CA\u00FE\u00BA\u00BE\0\0\0\u0041\0\u0003\u0001\0" + (char) name.length() + name);
    }
}
