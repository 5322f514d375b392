package dev.fettle.lab.fake;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.TargetPort;

/** Where targets and loads are: here, or behind a pipe. */
public interface Site {
    Clock clock();

    TargetPort targets();

    LoadPort loads();

    /** Targets and loads that nobody has ended. */
    int running();
}
