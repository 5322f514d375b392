package dev.fettle.model.read;

import dev.fettle.load.api.Tls;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/** Checks the scheme of a target's URL against the load's {@code tls}: {@code https} turns TLS on, too. */
final class SecureUrl {
    private SecureUrl() {}

    /**
     * The load for a target.
     *
     * @param plan the plan's fields, to locate {@code load} in messages
     */
    static Load load(Load load, Target target, YamlFields plan, Problems problems) {
        Optional<URI> url = target.url();
        if (url.isEmpty()) {
            made(load, target, plan, problems);
            return load; // a target that Fettle launches speaks the load's protocol
        }
        boolean secure = "https".equalsIgnoreCase(url.get().getScheme());
        Optional<Node> said = plan.get("load")
                .map(n -> YamlFields.open(n, "load", new Problems("")))
                .filter(f -> f.has("tls"))
                .map(f -> f.at("tls"));
        if (said.isPresent() && secure != load.wire().tls().isPresent()) {
            problems.add(
                    said.get(),
                    secure
                            ? "tls: the target's url begins with https://, so it is on: leave it out, or say ca, insecure or resume"
                            : "tls: the target's url begins with http://; with TLS it is https://");
        }
        return secure && load.wire().tls().isEmpty()
                ? load.withWire(load.wire().with(new Tls(Optional.empty(), false, true)))
                : load;
    }

    /** Checks the load of a server that Fettle configures: Fettle makes its certificate, which the load trusts. */
    private static void made(Load load, Target target, YamlFields plan, Problems problems) {
        Optional<Tls> tls = load.wire().tls();
        if (target.getsCertificate()
                && tls.isPresent()
                && (tls.get().insecure() || tls.get().authorities().isPresent())) {
            problems.add(
                    YamlFields.open(plan.get("load").orElseThrow(), "load", new Problems(""))
                            .at("tls"),
                    "tls: the server gets a certificate that Fettle makes, and the load trusts just that: leave out ca and"
                            + " insecure");
        }
    }
}
