package dev.fettle.load.script;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.scenario.ScenarioScripts;
import java.nio.ByteBuffer;

/** Makes the scripts of a load's clients. Engine threads call it side by side, so it keeps no state between calls. */
public interface ScriptFactory {

    /** How many steps are told apart in the results, at least 1. */
    int stepCount();

    /**
     * A new script.
     *
     * @param client whose it is: 0 to the number of clients, exclusive, over all engine threads
     */
    Script script(int client);

    /** The factory for what the spec wants sent. */
    static ScriptFactory of(LoadSpec spec) {
        if (spec.scenario().isPresent()) {
            return new ScenarioScripts(spec.scenario().get(), spec);
        }
        byte[] encoded = spec.wire().protocol().isWebSocket()
                ? spec.request().body()
                : spec.request().encode(spec.hostHeader(), spec.keepAlive());
        ByteBuffer request =
                ByteBuffer.allocateDirect(encoded.length).put(encoded).flip();
        return fixed(new FixedScript(request, spec.request().isHead(), spec.expect()));
    }

    private static ScriptFactory fixed(FixedScript first) {
        return new ScriptFactory() {
            @Override
            public int stepCount() {
                return 1;
            }

            @Override
            public Script script(int client) {
                return first.another();
            }
        };
    }
}
