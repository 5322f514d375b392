package dev.fettle.config.jetty;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One of Jetty's ini files.
 *
 * @param path below jetty.base: {@code start.ini}, {@code start.d/http.ini}
 */
public record IniFile(String path, String text) {
    /** A line including its end, numbered from 1. */
    record Line(int number, String text, IniLine is) {}

    /** Lines as in editors: a lone carriage return does not end one. */
    List<Line> lines() {
        var out = new ArrayList<Line>();
        for (int from = 0, to; from < text.length(); from = to) {
            int newline = text.indexOf('\n', from);
            to = newline < 0 ? text.length() : newline + 1;
            String line = text.substring(from, to);
            out.add(new Line(out.size() + 1, line, IniLine.of(line)));
        }
        return out;
    }

    /**
     * A property, or a module that is turned on.
     *
     * @param line from 1
     * @param key of the property; {@code --module} for modules
     */
    public record Given(int line, String key, String value) {}

    /** What the lines set, as start.jar reads them; comments and options for the JVM are left out. */
    public List<Given> given() {
        return lines().stream()
                .flatMap(l -> switch (l.is()) {
                    case IniLine.Modules m -> m.names().stream().map(name -> new Given(l.number(), "--module", name));
                    case IniLine.Property p -> Stream.of(new Given(l.number(), p.key(), p.value()));
                    case IniLine.Other _ -> Stream.<Given>empty();
                })
                .toList();
    }
}
