package dev.fettle.lab.measure;

import dev.fettle.model.load.Csv;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Secrets;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Values that a load sends and that may be secret. A server may repeat a part of one: so the token of a header, each cookie and each
 * field of a form stand for themselves, too.
 */
final class SentSecrets {
    /** Shorter texts would be found in any page. */
    private static final int SHORTEST = 4;

    private static final Pattern FORM = Pattern.compile("[^=&\\s{}<>]++=[^&\\s]*+(?:&[^=&\\s]++=[^&\\s]*+)*+");

    private final Set<String> all = new HashSet<>();

    private SentSecrets() {}

    /** Those of a load, longest first: one may be a part of another. */
    static Set<String> of(Load load) {
        var secrets = new SentSecrets();
        secrets.headers(load.request().headers());
        load.request().body().ifPresent(secrets::body);
        load.scenario().ifPresent(secrets::scenario);
        secrets.all.removeIf(text -> text.length() < SHORTEST || Templates.isPlace(text));
        return secrets.all.stream()
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .collect(LinkedHashSet::new, Set::add, Set::addAll);
    }

    private void scenario(Scenario s) {
        all.addAll(s.variables().values());
        for (Scenario.Flow flow : s.flows()) {
            for (Scenario.Step step : flow.steps()) {
                headers(step.headers());
                step.body().ifPresent(this::body);
                all.addAll(step.form().values());
            }
        }
        s.data().forEach(d -> columns(Csv.read(Path.of(d.file())), all));
    }

    /**
     * Columns whose names look like secrets. An answer may say who a user is, but must not show the user's credentials.
     */
    private static void columns(Csv csv, Collection<String> secrets) {
        for (int i = 0; i < csv.columns().size(); i++) {
            if (Secrets.looksSecret(csv.columns().get(i))) {
                int column = i;
                csv.rows().forEach(row -> secrets.add(row.get(column)));
            }
        }
    }

    private void headers(Map<String, String> headers) {
        headers.forEach((name, value) -> {
            if (!Secrets.harmless(name)) {
                all.add(value);
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "authorization", "proxy-authorization" -> credentials(value.strip());
                    case "cookie" -> cookies(value);
                    default -> {}
                }
            }
        });
    }

    /** {@code Bearer TOKEN}, {@code Basic BASE64}; of the latter the password, too. */
    private void credentials(String value) {
        String token = value.substring(value.lastIndexOf(' ') + 1);
        all.add(token);
        if (value.regionMatches(true, 0, "basic ", 0, 6)) {
            try {
                String pair = new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8);
                all.add(pair);
                all.add(pair.substring(pair.indexOf(':') + 1));
            } catch (IllegalArgumentException e) {
                // not what it says it is: it goes as it stands
            }
        }
    }

    private void cookies(String value) {
        for (String cookie : value.split(";")) {
            all.add(cookie.substring(cookie.indexOf('=') + 1).strip());
        }
    }

    private void body(String body) {
        all.add(body);
        if (FORM.matcher(body).matches()) {
            for (String field : body.split("&")) {
                String value = field.substring(field.indexOf('=') + 1);
                all.add(value);
                decoded(value).ifPresent(all::add);
            }
        }
    }

    private static Optional<String> decoded(String value) {
        try {
            return Optional.of(URLDecoder.decode(value, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // a stray %
        }
    }
}
