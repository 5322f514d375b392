package dev.fettle.config.jetty;

import java.util.ArrayList;
import java.util.List;

/** The lines of one of Jetty's ini files that set something, as start.jar reads them. */
public final class JettyLines {
    private JettyLines() {}

    /**
     * A property, or a module that is turned on.
     *
     * @param line from 1
     * @param key of the property; {@code --module} for modules
     */
    public record Line(int line, String key, String value) {}

    /** In their order; comments and options for the JVM are left out. */
    public static List<Line> of(String text) {
        var out = new ArrayList<Line>();
        int n = 0;
        // lines as editors count them: a carriage return alone ends none
        for (String line : text.split("\n", -1)) {
            n++;
            switch (IniLine.of(line.stripTrailing())) {
                case IniLine.Modules m -> {
                    for (String name : m.names()) {
                        out.add(new Line(n, "--module", name));
                    }
                }
                case IniLine.Property p -> out.add(new Line(n, p.key(), p.value()));
                case IniLine.Other _ -> {
                    // sets nothing that has a name
                }
            }
        }
        return out;
    }
}
