package dev.fettle.config.audit;

import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A text being searched: where its lines begin, and the settings found so far. */
final class Source {
    /** The search stops here: nobody reads a longer list. */
    static final int MOST_SETTINGS = 20_000;

    private final String name;
    private final String text;
    private final int[] lines;
    private final List<FoundSetting> found = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Source(String name, String text) {
        this.name = name;
        this.text = text;
        var starts = new ArrayList<Integer>();
        starts.add(0);
        for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
            starts.add(i + 1);
        }
        this.lines = starts.stream().mapToInt(Integer::intValue).toArray();
    }

    String name() {
        return name;
    }

    String text() {
        return text;
    }

    int lines() {
        return lines.length;
    }

    /** Where a line begins, from 1. */
    int start(int line) {
        return lines[line - 1];
    }

    /** A line without its end, from 1. */
    String line(int line) {
        int end = line < lines.length ? lines[line] - 1 : text.length();
        String all = text.substring(lines[line - 1], Math.max(lines[line - 1], end));
        return all.endsWith("\r") ? all.substring(0, all.length() - 1) : all;
    }

    int lineOf(int offset) {
        int at = Arrays.binarySearch(lines, Math.max(0, offset));
        return at >= 0 ? at + 1 : -at - 1;
    }

    /** A place that can be edited, from start to before end. A comment would go in front of its first line. */
    Place place(int start, int end) {
        int line = lineOf(start);
        return new Place(name, line, start, end, lines[line - 1]);
    }

    Place line(int start, int end, int comment) {
        return new Place(name, lineOf(start), start, end, comment);
    }

    void add(SettingKind kind, String setting, String value, Place place, String scope) {
        if (found.size() < MOST_SETTINGS) {
            found.add(new FoundSetting(kind, setting, value, place, scope));
        }
    }

    void add(FoundSetting setting) {
        if (found.size() < MOST_SETTINGS) {
            found.add(setting);
        }
    }

    void note(String words) {
        notes.add(name + ": " + words);
    }

    List<FoundSetting> found() {
        return found;
    }

    List<String> notes() {
        return notes;
    }
}
