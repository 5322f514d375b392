package dev.fettle.model.read;

import java.util.List;

/** The sections of a plan with their keys. The JSON Schema has a definition with the same name and keys for each section. */
enum PlanKeys {
    PLAN("plan", "name about target load own hold knobs objective budget slo sweep compare hooks seed"),
    TEMPLATE("template", "from"),
    EMBEDDED("embedded", "server app options backend java jvm"),
    WAR("war", "server war context java jvm"),
    STANDALONE("standalone", "standalone version home base war context java jvm"),
    BOOT("boot", "boot args java jvm"),
    COMMAND("command", "command artifacts files templates env workers defaults java jvm"),
    PROCESS("process", "pid url live agent"),
    URL("url", "url"),
    INTERVAL("interval", "from to"),
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
