package dev.fettle.lab.engine;

import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.LoadRun;
import dev.fettle.load.engine.LoadEngine;

/** Load that is sent by this process. */
public final class LocalLoad implements LoadPort {
    @Override
    public LoadRun start(Order order) {
        return LoadEngine.start(Loads.spec(order));
    }
}
