package dev.fettle.config.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.ConfigException;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.jetty.JettyInis;
import dev.fettle.config.jetty.JettyPlace;
import dev.fettle.config.jetty.Samples;
import dev.fettle.config.process.JvmLine;
import dev.fettle.model.knob.JvmFlags;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written is read again, and all else stays as it was. */
class RoundTripPropertiesTest {
    private static final String FILE = "server.xml";
    private static final Pattern OUTSIDE_TAGS = Pattern.compile("<!--.*?-->|<\\?.*?\\?>", Pattern.DOTALL);

    @Provide
    Arbitrary<String> serverXmls() {
        return Samples.serverXmls();
    }

    @Provide
    Arbitrary<Setting> tomcat() {
        // which pool counts is a matter of its own, and has tests of its own
        return Samples.settings(k -> !TomcatPlaces.of(k).isEmpty()
                        && !k.name().equals(TomcatPlaces.VIRTUAL)
                        && !k.name().equals("shutdown.timeout"))
                .map(s -> Samples.withSwitches(s, ServerKind.TOMCAT));
    }

    @Provide
    Arbitrary<Setting> jetty() {
        return Samples.settings(k -> k.part() == Knob.Part.SERVER
                        && !JettyPlace.of(k.on(ServerKind.JETTY)).isEmpty()
                        && !k.name().equals(JettyInis.VIRTUAL))
                .map(s -> Samples.withSwitches(s, ServerKind.JETTY));
    }

    @Provide
    Arbitrary<Setting> jvm() {
        return Samples.settings(k ->
                k.option().isPresent() && k.type() != Knob.Type.FLAGS && k.type() != Knob.Type.JDK); // which is no flag
    }

    @Provide
    Arbitrary<List<IniFile>> inis() {
        return Samples.inis();
    }

    @Property(tries = 60)
    void whatIsWrittenIntoServerXmlIsRead(@ForAll("serverXmls") String text, @ForAll("tomcat") Setting setting)
            throws Exception {
        TomcatXml before = TomcatXml.read(FILE, text);
        TomcatXml after = TomcatXml.read(FILE, before.with(setting));

        Setting wanted = withoutOff(before.setting().with(setting), "http2");
        assertThat(after.setting()).isEqualTo(startable(wanted, setting, after));
        assertThat(after.with(setting)).as("written twice").isEqualTo(after.text());
        assertThat(outside(after.text())).isEqualTo(outside(text));
    }

    /** An Executor whose most threads were lowered keeps no more spare ones, or it would not start. */
    private static Setting startable(Setting wanted, Setting setting, TomcatXml after) throws ConfigException {
        boolean shared = HttpService.of(XmlText.parse(FILE, after.text())).pool() == HttpService.Pool.SHARED;
        boolean lowered = shared && setting.get("threads.min").isEmpty();
        Optional<Integer> most = setting.get("threads.max").filter(m -> lowered).map(Integer::valueOf);
        Optional<Integer> least = wanted.get("threads.min").map(Integer::valueOf);
        int spare = least.orElse(25);
        return most.filter(m -> m < spare)
                .map(m -> wanted.with("threads.min", m.toString()))
                .orElse(wanted);
    }

    @Property(tries = 20)
    void anEmptySettingChangesNoServerXml(@ForAll("serverXmls") String text) throws Exception {
        assertThat(TomcatXml.read(FILE, text).with(Setting.DEFAULT)).isEqualTo(text);
        assertThat(TomcatXml.read(FILE, text).with(TomcatXml.read(FILE, text).setting()))
                .isEqualTo(text);
    }

    @Property(tries = 30)
    void aPrivateCopyKeepsTheSetting(@ForAll("serverXmls") String text, @ForAll("tomcat") Setting setting)
            throws Exception {
        TomcatXml with = TomcatXml.read(FILE, TomcatXml.read(FILE, text).with(setting));
        TomcatXml copy = TomcatXml.read(
                FILE, with.privately(12345, true, Optional.empty()).text());

        assertThat(copy.setting()).isEqualTo(with.setting());
        assertThat(copy.privately(12345, true, Optional.empty()).text()).isEqualTo(copy.text());
    }

    @Property(tries = 60)
    void whatIsWrittenIntoInisIsRead(@ForAll("inis") List<IniFile> files, @ForAll("jetty") Setting setting)
            throws Exception {
        JettyInis before = JettyInis.read(files);
        JettyInis after = before.with(setting);

        Setting wanted = before.setting().with(setting);
        assertThat(after.setting()).isEqualTo(withoutOff(withoutOff(wanted, "http2"), "compression"));
        assertThat(after.privately(12345, java.util.Set.of(), Optional.empty())
                        .inis()
                        .setting())
                .isEqualTo(after.setting());
        for (IniFile file : files) {
            String now = after.files().stream()
                    .filter(f -> f.path().equals(file.path()))
                    .findFirst()
                    .orElseThrow()
                    .text();
            assertThat(now.replaceAll("(?m)^#fettle# ", "").lines().toList())
                    .as("no line of %s is lost", file.path())
                    .containsSubsequence(file.text().lines().toList());
        }
    }

    @Property(tries = 20)
    void anEmptySettingChangesNoIni(@ForAll("inis") List<IniFile> files) throws Exception {
        assertThat(JettyInis.read(files).with(Setting.DEFAULT).files()).containsExactlyInAnyOrderElementsOf(files);
    }

    @Property(tries = 60)
    void whatIsWrittenAsFlagsIsRead(@ForAll("jvm") Setting setting, @ForAll("jvm") Setting before) {
        assertThat(JvmLine.read(JvmFlags.of(setting))).isEqualTo(setting);

        List<String> users = new ArrayList<>(List.of("-Dapp=1", "-ea"));
        users.addAll(JvmFlags.of(before));
        var wanted = new HashMap<>(before.with(setting).asMap());
        if (setting.get("jvm.heap.percent").isPresent()
                && setting.get("jvm.heap").isEmpty()) {
            wanted.remove("jvm.heap"); // a fixed heap would leave the share of the memory without effect
        }
        assertThat(JvmLine.read(JvmLine.with(users, setting))).isEqualTo(Setting.of(wanted));
        assertThat(JvmLine.with(users, setting)).startsWith("-Dapp=1", "-ea");
        assertThat(JvmLine.with(users, Setting.DEFAULT)).isEqualTo(users);
    }

    /** A switch that is off is not there, nor is what belongs to it. */
    private static Setting withoutOff(Setting setting, String knob) {
        Map<String, String> values = new HashMap<>(setting.asMap());
        if (values.remove(knob, "false")) {
            values.keySet().removeIf(k -> k.startsWith(knob + "."));
        }
        return Setting.of(values);
    }

    /** Comments and instructions, in order. */
    private static List<String> outside(String text) {
        var out = new ArrayList<String>();
        Matcher m = OUTSIDE_TAGS.matcher(text);
        while (m.find()) {
            out.add(m.group());
        }
        return out;
    }

    // -- places in XML -----------------------------------------------------------------------------------------------

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> leaf = Arbitraries.of(
                "<e/>",
                "<e a='1 > 2' b=\"&lt;&amp;&#65;\"/>",
                "<x-y\r\n\tname = 'it\"s'\r\n></x-y  >",
                "<!-- <e f='>'> -->",
                "<![CDATA[<e>]]>",
                "<?pi <e> ?>",
                " text &amp; &#x41; ");
        return Combinators.combine(
                        leaf.list().ofMaxSize(5),
                        leaf.list().ofMaxSize(5),
                        Arbitraries.integers().between(0, 3000))
                .as((a, b, pad) -> "<?xml version=\"1.0\"?>\n<r>" + String.join("\n", a) + "<n q='" + " ".repeat(pad)
                        + "'>" + String.join("", b) + "</n>\r\n</r>\n<!-- end -->");
    }

    @Property(tries = 60)
    void elementsAndAttributesAreWhereTheTextSays(@ForAll("documents") String text) throws Exception {
        XmlText xml = XmlText.parse(FILE, text);

        for (XmlElement e : xml.elements()) {
            assertThat(text.substring(e.start())).startsWith("<" + e.name());
            assertThat(text.charAt(e.tagEnd() - 1)).isEqualTo('>');
            assertThat(text.substring(e.start(), e.end())).endsWith(e.empty() ? "/>" : ">");
            XmlText alone = XmlText.parse(FILE, text.substring(e.start(), e.end()));
            assertThat(alone.root().name()).isEqualTo(e.name());
            for (XmlElement.Attribute a : e.attributes()) {
                assertThat(text.substring(a.start())).startsWith(a.name());
                String changed = xml.with(e, a.name(), "n<e>w & 'x' \"y\"");
                XmlElement now = XmlText.parse(FILE, changed)
                        .elements()
                        .get(xml.elements().indexOf(e));
                assertThat(now.value(a.name())).contains("n<e>w & 'x' \"y\"");
                assertThat(changed)
                        .startsWith(text.substring(0, a.valueStart()))
                        .endsWith(text.substring(a.valueEnd()));
            }
            if (e.parent().isPresent()) {
                XmlText without = XmlText.parse(FILE, xml.without(e));
                long inside = xml.elements().stream()
                        .filter(i -> i.start() >= e.start() && i.end() <= e.end())
                        .count();
                assertThat(without.elements()).hasSize(xml.elements().size() - (int) inside);
            }
        }
    }
}
