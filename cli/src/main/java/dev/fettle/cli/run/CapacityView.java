package dev.fettle.cli.run;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.capacity.CapacityResult;
import dev.fettle.insight.capacity.CapacitySearch;
import dev.fettle.lab.capacity.CapacityListener;
import dev.fettle.report.text.CapacityText;
import java.util.Locale;

/** Shows a capacity search as it goes: a line that stays for each probe, and a live line for the load under way. */
final class CapacityView implements CapacityListener {
    private final Screen screen;
    private final CapacityText text;

    CapacityView(Screen screen) {
        this.screen = screen;
        this.text = new CapacityText(screen.width(), screen.colour());
    }

    @Override
    public void goesOn(String stage, double throughput, double p99Millis) {
        screen.live(String.format(Locale.ROOT, "%s · %,.0f/s · p99 %.2f ms", stage, throughput, p99Millis));
    }

    @Override
    public void probed(int ordinal, CapacitySearch.Step.Offer offer, CapacityResult.Judged judged) {
        screen.say(text.line(ordinal, judged));
    }

    @Override
    public void note(String message) {
        screen.say("  " + message);
    }
}
