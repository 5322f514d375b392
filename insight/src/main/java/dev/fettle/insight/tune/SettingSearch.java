package dev.fettle.insight.tune;

import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.Optional;

/**
 * Proposes settings: ask and tell in one, for what was told is handed over with every question. Implementations are pure, so
 * a better one can stand beside {@link HoldingTimeSearch} and be replayed against it.
 */
public interface SettingSearch {

    /**
     * The next setting to try.
     *
     * @param seen the default first, then what was tried, in order; settings without a valid trial included
     * @return empty when nothing else is worth a trial
     */
    Optional<Proposal> ask(List<SettingTrials> seen);

    /**
     * A setting to try.
     *
     * @param setting held knobs included
     * @param origin one or two words for tables
     * @param why one phrase for a progress line
     */
    record Proposal(Setting setting, String origin, String why) {}
}
