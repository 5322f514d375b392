package dev.fettle.lab.audit;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.lab.machine.Folders;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets this machine's nginx test directives, one at a time and in the block where they were found: {@code nginx -t}
 * with a configuration of its own in a temporary folder, which listens on a socket file there. Directives that open
 * files, load code or name other machines are not tried. Nothing is started.
 */
record NginxProbe(Optional<TrustedProgram> program, Path folder) {
    private static final int MOST = 60;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{1,60}");
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9 _:=$.*+-]{1,80}");
    private static final Pattern NOT = Pattern.compile(
            ".*(?:_path|_log|_file|_pass|_certificate.*|_key|_store|_bind|_zone)|include|load_module|pid|user|env|root|alias|listen"
                    + "|server|server_name|resolver|perl.*|js_.*|lua_.*|daemon|master_process|working_directory|return|rewrite|if|set"
                    + "|types|default_type|error_page|limit_req|limit_conn|error_log|access_log|map|geo|.*_by_lua.*|auth_.*");
    private static final Pattern MESSAGE =
            Pattern.compile("(?m)\\[(emerg|warn)\\] \\d+#\\d+: (.*?)(?: in \\S+:\\d+)?$");
    private static final Pattern VERSION = Pattern.compile("nginx version: nginx/(\\S+)");

    /** The release of nginx on this machine; empty if there is none. */
    static Optional<String> version(TrustedProgram program, Path folder) throws InterruptedException {
        return Tried.run(program, List.of("-v"), folder)
                .map(s -> VERSION.matcher(s.text()))
                .filter(Matcher::find)
                .map(m -> m.group(1));
    }

    List<Probe> probe(List<FoundSetting> found, List<String> notes) throws IOException, InterruptedException {
        Map<String, FoundSetting> asked = new LinkedHashMap<>();
        found.stream()
                .filter(f -> f.kind() == SettingKind.NGINX
                        && NAME.matcher(plain(f.name())).matches()
                        && !NOT.matcher(plain(f.name())).matches()
                        && VALUE.matcher(f.value()).matches())
                .forEach(f -> asked.putIfAbsent(f.written(), f));
        if (asked.isEmpty()) {
            return List.of();
        }
        Optional<String> version = program.isPresent() ? version(program.get(), folder) : Optional.empty();
        if (version.isEmpty()) {
            notes.add("directives of nginx were not tried: there is no nginx on this machine");
            return List.of();
        }
        if (asked.size() > MOST) {
            notes.add("only the first " + MOST + " of " + asked.size() + " directives of nginx were tried");
        }
        var out = new ArrayList<Probe>();
        for (var e : asked.entrySet().stream().limit(MOST).toList()) {
            one(program.get(), e.getValue(), "nginx " + version.get()).ifPresent(out::add);
        }
        return out;
    }

    private static String plain(String name) {
        return name.startsWith("upstream.") ? name.substring("upstream.".length()) : name;
    }

    private Optional<Probe> one(TrustedProgram nginx, FoundSetting f, String on)
            throws IOException, InterruptedException {
        String name = plain(f.name());
        Path file = folder.resolve("nginx-probe.conf");
        Folders.writePrivate(file, text(name, f.value(), f.scope()));
        Optional<Tried.Said> said = Tried.run(
                nginx, List.of("-t", "-q", "-p", folder.toString(), "-e", "stderr", "-c", file.toString()), folder);
        if (said.isEmpty()) {
            return Optional.empty();
        }
        Matcher m = MESSAGE.matcher(said.get().text());
        String words = m.find() ? m.group(2) : "";
        if (said.get().code() == 0) {
            return Optional.of(new Probe(
                    f.written(), on, words.isEmpty() ? Outcome.ACCEPTED : Outcome.DEPRECATED, words, Optional.empty()));
        }
        if (words.startsWith("unknown directive")) {
            // it may belong to a module or release that is not installed here
            return Optional.of(new Probe(f.written(), on, Outcome.ABSENT, words, Optional.empty()));
        }
        boolean refused =
                words.contains("\"" + name + "\"") || words.startsWith("invalid") || words.startsWith("value must be");
        return refused && !words.contains("is not allowed here")
                ? Optional.of(new Probe(f.written(), on, Outcome.REFUSED, words, Optional.empty()))
                : Optional.empty();
    }

    /** A configuration with only this directive, in the block where it was found. */
    private String text(String name, String value, String scope) {
        String blocks = scope.toLowerCase(Locale.ROOT);
        String line = name + " " + value + ";\n";
        boolean events = blocks.startsWith("events");
        boolean upstream = blocks.contains("upstream");
        boolean http = upstream || blocks.contains("http") || blocks.contains("server") || blocks.contains("location");
        boolean location = blocks.contains("location");
        boolean server = !location && blocks.contains("server");
        return "pid " + folder + "/nginx.pid;\n"
                + (events || http ? "" : line)
                + "events {\n" + (events ? line : "") + "}\n"
                + "http {\n"
                + (http && !upstream && !server && !location ? line : "")
                + (upstream ? "upstream u { server 127.0.0.1:9;\n" + line + "}\n" : "")
                + "server { listen unix:" + folder + "/s;\n"
                + (server ? line : "")
                + "location / {\n" + (location ? line : "") + "}\n}\n}\n";
    }
}
