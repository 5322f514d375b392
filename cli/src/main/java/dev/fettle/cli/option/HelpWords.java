package dev.fettle.cli.option;

import dev.fettle.model.load.Load;
import java.util.ListResourceBundle;
import java.util.Map;

/** What the help of an option that several commands share says with one of them. */
public final class HelpWords extends ListResourceBundle {
    /** How many connections there are if nobody says. A key must not be the name of an option: picocli takes its text for all of the description. */
    static final String CONNECTIONS = "words.connections";

    /** Of what the flame graphs are. */
    static final String PROFILED = "words.profiled";

    private static final Map<String, String> DEFAULTS = Map.of(
            "bench",
            "10; with --rate or --stages as many as it takes, up to " + Load.OPEN_CONNECTIONS,
            "capacity",
            "as many as it takes, up to " + Load.OPEN_CONNECTIONS,
            "diagnose",
            "50");
    private static final Map<String, String> GRAPHS =
            Map.of("tune", " of the first pair", "compare", " of the first block", "sweep", " of each cell, once");

    private final String command;

    /** @param command its name: {@code bench} */
    public HelpWords(String command) {
        this.command = command;
    }

    @Override
    protected Object[][] getContents() {
        return new Object[][] {
            {CONNECTIONS, DEFAULTS.getOrDefault(command, "")}, {PROFILED, GRAPHS.getOrDefault(command, "")},
        };
    }
}
