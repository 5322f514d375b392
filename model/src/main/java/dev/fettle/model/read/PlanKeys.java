package dev.fettle.model.read;

import java.util.List;

/** The sections of a plan with their keys. The JSON Schema has a definition with the same name and keys for each section. */
enum PlanKeys {
    PLAN("plan", "name about target load own hold knobs objective budget slo sweep compare hooks seed"),
    TEMPLATE("template", "from"),
    HOOKS("hooks", "before after"),
    BEFORE("hookBefore", "run env background ready within exit scope"),
    AFTER("hookAfter", "run env within exit scope"),
    READY("hookReady", "tcp http status log run"),
    EMBEDDED("embedded", "server app options backend java jvm"),
    WAR("war", "server war context java jvm"),
    STANDALONE("standalone", "standalone version home base war context java jvm"),
    BOOT("boot", "boot args java jvm"),
    COMMAND("command", "command artifacts files templates env workers defaults java jvm"),
    PROCESS("process", "pid url live agent"),
    URL("url", "url"),
    BACKEND("backend", "delay bytes"),
    INTERVAL("interval", "from to"),
    OBJECTIVE("objective", "maximize minimize against limits"),
    LIMITS("limits", "p99 errors"),
    BUDGET("budget", "trials time pairs live whole-trials"),
    SWEEP("sweep", "grid repeats"),
    COMPARE("compare", "pairs grid spike baseline variants layers"),
    VARIANT("variant", "server app options java jvm set"),
    LAYER("layer", "server app options backend java jvm set path expect"),
    SPIKE("spike", "rate for watch"),
    OWN("ownKnob", "type from to choices scale default unit about set read"),
    OWN_SET("ownSet", "property system-property env file line xpath"),
    OWN_READ("ownRead", "actuator mbean attribute url pointer run");

    private final String section;
    private final List<String> keys;

    /** @param keys with blanks between them */
    PlanKeys(String section, String keys) {
        this.section = section;
        this.keys = List.of(keys.split(" "));
    }

    String section() {
        return section;
    }

    List<String> keys() {
        return keys;
    }
}
