package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import ua_parser.Parser;

/** The browser is looked up in the list of all browsers for every request. */
final class ParseUncached implements Fault {
    private static final String BROWSER =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

    private final Parser parser = new Parser();

    @Override
    public void spoil(Visit visit) {
        if (parser.parse(visit.userAgent().length() > 20 ? visit.userAgent() : BROWSER).userAgent == null) {
            throw new IllegalStateException("no browser");
        }
    }
}
