package dev.fettle.cli.command;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.journal.WatchRecording;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.WatchReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.WatchDocument;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.text.TextReport;
import dev.fettle.report.text.WatchText;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * A recording of {@code fettle watch}, shown as it was then: a line or an object a second, or on a terminal the screen at its end.
 *
 * @param json whether the seconds are shown as JSON
 */
record WatchedBefore(Screen screen, boolean json, WatchText text) {

    WatchReport show(Path file) throws LabException {
        boolean lines = !json && !screen.terminal();
        WatchRecording.Recorded recorded = WatchRecording.read(file, new WatchRecording.Taker() {
            @Override
            public void begins(String about, Instant started) {
                if (lines) {
                    screen.say("Recorded of " + about + " from " + started.truncatedTo(ChronoUnit.SECONDS));
                }
            }

            @Override
            public void second(WatchPoint point) {
                if (json) {
                    screen.result(JsonReport.point(point));
                } else if (lines) {
                    screen.result(text.line(point));
                }
            }
        });
        var found = new WatchReport(
                recorded.about(),
                List.of(
                        "from " + recorded.started().truncatedTo(ChronoUnit.SECONDS),
                        Wording.plural(recorded.seconds(), "second")),
                recorded.timeline());
        if (!json && !lines) {
            screen.result(new TextReport(screen.width(), screen.colour()).document(WatchDocument.of(found)));
        }
        if (recorded.cut()) {
            screen.say("The recording ends in the middle of a line: it was cut off.");
        }
        return found;
    }
}
