package dev.fettle.model.read;

import dev.fettle.load.api.Tls;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.util.Optional;

/** Checks the URL of a target, and its scheme against the load's {@code tls}: {@code https} turns TLS on, too. */
final class SecureUrl {
    private SecureUrl() {}

    /**
     * The load for a target.
     *
     * @param plan the plan's fields, to locate {@code load} in messages
     */
    static Load load(Load load, Target target, YamlFields plan) {
        Optional<URI> url = target.url();
        if (url.isEmpty()) {
            made(load, target, plan);
            return load; // a target that Fettle launches speaks the load's protocol
        }
        boolean secure = "https".equalsIgnoreCase(url.get().getScheme());
        if (plan.in("load").has("tls") && secure != load.wire().tls().isPresent()) {
            plan.in("load")
                    .wrong(
                            "tls",
                            secure
                                    ? "tls: the target's url begins with https://, so it is on: leave it out, or say ca, insecure or resume"
                                    : "tls: the target's url begins with http://; with TLS it is https://");
        }
        return secure && load.wire().tls().isEmpty()
                ? load.withWire(load.wire().with(new Tls(Optional.empty(), false, true)))
                : load;
    }

    /** Checks the load of a server that Fettle configures: Fettle makes its certificate, which the load trusts. */
    private static void made(Load load, Target target, YamlFields plan) {
        Optional<Tls> tls = load.wire().tls();
        if (target.getsCertificate()
                && tls.isPresent()
                && (tls.get().insecure() || tls.get().authorities().isPresent())) {
            plan.in("load")
                    .wrong(
                            "tls",
                            "tls: the server gets a certificate that Fettle makes, and the load trusts just that: leave out ca and"
                                    + " insecure");
        }
    }

    /** What is wrong with the address of a target that is up; empty if nothing is. */
    static String wrong(URI uri) {
        if ("ws".equalsIgnoreCase(uri.getScheme()) || "wss".equalsIgnoreCase(uri.getScheme())) {
            return "url starts with http:// or https://; that messages go there says load.protocol: websocket";
        }
        if (!"http".equalsIgnoreCase(uri.getScheme()) && !"https".equalsIgnoreCase(uri.getScheme())) {
            return "url starts with http:// or https://";
        }
        if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
            return "url needs a host and a port from 1 to 65535: http://127.0.0.1:8080";
        }
        if (uri.getRawUserInfo() != null) {
            return "a name and password in the url are not sent: say load.request.headers: {Authorization: Basic …}";
        }
        boolean bare = uri.getRawPath() == null
                || uri.getRawPath().isEmpty()
                || uri.getRawPath().equals("/");
        if (!bare || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            return "url is only http[s]://host:port; the path goes into load.request.path";
        }
        return "";
    }
}
