package dev.fettle.cli.option;

import dev.fettle.load.api.Tls;
import dev.fettle.load.api.Wire;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** An already running process, in place of a plan's target. */
public final class ProcessOptions {
    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "Test this running process instead of the plan's target: it is loaded and watched, never"
                    + " started or ended.")
    private @Nullable Long pid;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "Where the process is loaded: http[s]://HOST:PORT[/PATH]. Default: its one port that speaks HTTP,"
                            + " and the plan's path")
    private @Nullable String url;

    @Option(
            names = "--live",
            description =
                    "Let Fettle set live knobs in the process, through its MBeans; each is put back after the trial.")
    private boolean live;

    @Option(
            names = "--agent",
            description =
                    "Let Fettle load its agent into the process, which reads what the MBeans do not report, and stays"
                            + " there until the process ends.")
    private boolean agent;

    /** Whether a process was given; the other options need one. */
    public boolean given() {
        if (pid == null && (url != null || live || agent)) {
            throw Parse.usage((url != null ? "--url" : live ? "--live" : "--agent") + " goes with --pid");
        }
        return pid != null;
    }

    /** The plan for that process; unchanged without one. */
    public Plan applyTo(Plan plan) {
        if (!given() || pid == null) {
            return plan;
        }
        Optional<URI> where = Optional.ofNullable(url).map(u -> Parse.url(u, Parse.IN_THE_PLAN));
        Plan changed;
        try {
            changed = plan.on(new Target.Running(pid, where.map(ProcessOptions::base), live, agent, Optional.empty()));
        } catch (IllegalArgumentException e) {
            throw Parse.usage("--pid " + pid + ": " + e.getMessage());
        }
        Plan secured = where.map(u -> secured(changed, u)).orElse(changed);
        return where.flatMap(ProcessOptions::path)
                .map(p -> withPath(secured, p))
                .orElse(secured);
    }

    /** The plan with TLS on or off as in the URL; the plan's options on certificates stay. */
    private static Plan secured(Plan plan, URI url) {
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        Wire wire = plan.load().wire();
        if (secure == wire.tls().isPresent()) {
            return plan;
        }
        if (!secure) {
            throw Parse.usage("--url " + url + ": the plan's load has tls, so https:// is wanted");
        }
        return plan.withLoad(plan.load().withWire(wire.with(new Tls(Optional.empty(), false, true))));
    }

    private static Plan withPath(Plan plan, String path) {
        if (plan.load().scenario().isPresent()) {
            throw Parse.usage("--url is http://HOST:PORT here: the plan's scenario has the paths");
        }
        return plan.withLoad(plan.load().withPath(path));
    }

    private static URI base(URI url) {
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw Parse.usage("--url " + url + ": http:// or https:// is wanted");
        }
        return URI.create(scheme + "://" + url.getRawAuthority());
    }

    private static Optional<String> path(URI url) {
        return Optional.ofNullable(url.getRawPath())
                .filter(p -> !p.isEmpty())
                .map(p -> url.getRawQuery() == null ? p : p + "?" + url.getRawQuery());
    }
}
