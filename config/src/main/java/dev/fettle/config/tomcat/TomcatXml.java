package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import dev.fettle.config.KeyStoreFile;
import dev.fettle.model.knob.Setting;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tomcat's {@code server.xml}, 9.0, 10.1 and 11: what its HTTP Connector and the Connector's Executor set, and the text
 * with another setting on top.
 *
 * @param setting knobs that the file sets, by their common names
 * @param findings what in it has no effect or could not be read, one line each, with file and line number
 */
public record TomcatXml(String name, String text, Setting setting, List<String> findings) {
    private static final Pattern ENCODING = Pattern.compile("^<\\?xml[^>]*\\sencoding\\s*=\\s*[\"']([\\w.:-]+)[\"']");

    public TomcatXml {
        findings = List.copyOf(findings);
    }

    /**
     * Reads a file's text.
     *
     * @param name of the file, for messages
     * @throws ConfigException with file, line and column, if it is not well-formed, has a document type, or has no HTTP
     *     Connector
     */
    public static TomcatXml read(String name, String text) throws ConfigException {
        ServerXmlReader.Found found = ServerXmlReader.read(HttpService.of(XmlText.parse(name, text)));
        return new TomcatXml(name, text, found.setting(), found.findings());
    }

    /** The name of the Executor of platform threads that the HTTP Connector runs on, if it runs on one. */
    public Optional<String> executor() {
        try {
            HttpService service = HttpService.of(XmlText.parse(name, text));
            return service.pool() == HttpService.Pool.SHARED
                    ? service.executor().flatMap(e -> e.value("name"))
                    : Optional.empty();
        } catch (ConfigException e) {
            return Optional.empty(); // then it was not read either
        }
    }

    /** Where the Host's web applications are: relative to CATALINA_BASE, or absolute. */
    public String appBase() {
        try {
            return HttpService.of(XmlText.parse(name, text)).appBase();
        } catch (ConfigException e) {
            return HttpService.USUAL_APPS; // then it was not read either
        }
    }

    /**
     * The text with a setting on top. Values of a pool go to the Executor if the Connector runs on one. Everything that
     * the setting does not name stays byte for byte; an empty setting changes nothing. Knobs of the JVM and the process
     * are ignored.
     *
     * @throws ConfigException if a knob has no place here, or would have no effect
     */
    public String with(Setting over) throws ConfigException {
        return ServerXmlWriter.write(name, text, over);
    }

    /**
     * The text with elements of another merged into it: attributes and children of its Connector go to the HTTP Connector here,
     * attributes of an Executor to the one that runs it, other elements into the Host.
     *
     * @throws ConfigException if the fragment is not well-formed, or has no place here
     */
    public String merged(String fragment) throws ConfigException {
        return ServerXmlFragment.merged(name, text, fragment);
    }

    /**
     * The text for a private copy of the server.
     *
     * @param port the HTTP Connector's, on 127.0.0.1
     * @param deploys whether a web application of the trial's replaces those in the file
     * @param key for TLS on the Connector
     */
    public PrivateServerXml privately(int port, boolean deploys, Optional<KeyStoreFile> key) throws ConfigException {
        return PrivateServerXml.of(name, text, port, deploys, key);
    }

    /** The character set that the file declares: UTF-8 unless it says otherwise. */
    public static Charset charset(byte[] file) {
        String head = new String(file, 0, Math.min(file.length, 200), StandardCharsets.ISO_8859_1);
        Matcher m = ENCODING.matcher(head);
        try {
            return m.find() ? Charset.forName(m.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return StandardCharsets.UTF_8; // the parser will report the mistake
        }
    }
}
