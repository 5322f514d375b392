package dev.fettle.report.text;

import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Profile;
import dev.fettle.report.NumberText;
import java.util.List;

/** Profiles on a terminal: the methods in which most of each is spent. */
public final class ProfileText {
    /** Most methods shown of each profile. */
    private static final int HOTTEST = 8;

    private ProfileText() {}

    /** All profiles; empty text if there are none. */
    public static String text(List<Profile> profiles, int width, boolean colour) {
        var out = new TerminalLines(width, colour);
        profiles.forEach(p -> write(out, p));
        return out.toString();
    }

    static void write(TerminalLines out, Profile p) {
        out.heading(p.kind().title() + " (" + NumberText.weight(p.kind(), p.total()) + " in "
                + NumberText.latency(p.seconds() * 1e9) + ")");
        for (Profile.Frame f : p.hottest(HOTTEST)) {
            if (f.self() > 0) {
                out.line(Format.share(f.self() / p.total()), f.name());
            }
        }
    }
}
