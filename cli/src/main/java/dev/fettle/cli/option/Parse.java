package dev.fettle.cli.option;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.remote.Destination;
import dev.fettle.model.text.Secrets;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/** URLs on the command line, and mistakes there. */
public final class Parse {
    private static final Set<String> SCHEMES = Set.of("http", "https", "ws", "wss");

    /** The highest port. */
    public static final int MOST_PORTS = 65_535;

    /** What to do instead of a name and password in a URL, where there is a plan. */
    public static final String IN_THE_PLAN = "put load.request.headers: {Authorization: Basic …} into the plan";

    private Parse() {}

    /** An absolute URL with a host that can be looked up, and a port that there is. */
    public static URI url(String text) {
        return url(text, "say -H 'Authorization: Basic …'");
    }

    /**
     * The same.
     *
     * @param instead what to do instead of a name and password in it
     */
    public static URI url(String text, String instead) {
        String shown = Secrets.redactUrl(text);
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw text.contains("://")
                    ? usage("'" + shown + "' is no URL: " + e.getReason()
                            + (shown.equals(text) ? " at position " + e.getIndex() : ""))
                    : noUrl(shown);
        }
        if (!SCHEMES.contains(scheme(uri)) || uri.getRawAuthority() == null) {
            throw noUrl(shown);
        }
        if (uri.getRawUserInfo() != null || shown.contains("://" + Secrets.MASK + "@")) {
            throw usage("a name and password in the URL are not sent: " + instead);
        }
        if (uri.getHost() == null) {
            throw usage("'" + shown + "': '" + uri.getRawAuthority() + "' is no HOST[:PORT]: a host's name has letters,"
                    + " digits, '-' and '.', a port has digits");
        }
        if (uri.getPort() == 0 || uri.getPort() > MOST_PORTS) {
            throw usage("'" + shown + "': a port is from 1 to " + MOST_PORTS + ", not " + uri.getPort());
        }
        return uri;
    }

    private static CliException noUrl(String text) {
        return usage(
                "'" + text + "' is no URL that can be loaded: http://HOST[:PORT]/PATH, https://…, ws://… or wss://…"
                        + " is wanted");
    }

    /** Whether an argument that may also be a plan, a run or a file is a URL. */
    public static boolean isUrl(String text) {
        return text.matches("(?i)(https?|wss?)://.*");
    }

    /** Whether a URL is a WebSocket's. */
    static boolean isWebSocket(URI url) {
        return scheme(url).equals("ws") || scheme(url).equals("wss");
    }

    /** Whether a URL asks for TLS. */
    static boolean isSecure(URI url) {
        return scheme(url).equals("https") || scheme(url).equals("wss");
    }

    private static String scheme(URI url) {
        return url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    }

    /** A mistake on the command line. */
    public static CliException usage(String message) {
        return new CliException(ExitCodes.USAGE, message);
    }

    /**
     * Another machine.
     *
     * @throws CliException if ssh could not call one so
     */
    public static Destination machine(String text) {
        try {
            return new Destination(text);
        } catch (IllegalArgumentException e) {
            throw usage("'" + text + "': " + e.getMessage());
        }
    }
}
