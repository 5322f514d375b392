package dev.fettle.load.scenario;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.Part;
import dev.fettle.load.Scenario;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.script.HeadFormat;
import dev.fettle.load.script.Script;
import dev.fettle.load.script.ScriptFactory;

/** The users of a scenario. */
public final class ScenarioScripts implements ScriptFactory {

    private final CompiledScenario scenario;
    private final Part part;
    private final String host;
    private final boolean secure;

    public ScenarioScripts(Scenario scenario, LoadSpec spec, HeadFormat format) {
        this.scenario = CompiledScenario.of(scenario, spec.hostHeader(), spec.keepAlive(), format);
        this.part = spec.part();
        this.host = spec.serverName();
        this.secure = spec.wire().tls().isPresent();
    }

    @Override
    public int stepCount() {
        return scenario.stepCount();
    }

    @Override
    public Script script(int client, Budget budget) {
        return new ScenarioScript(
                scenario,
                client,
                part,
                new CookieJar(host, secure, () -> System.currentTimeMillis() / 1000, budget),
                budget);
    }
}
