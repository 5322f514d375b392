package dev.fettle.config.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.config.ConfigException;
import dev.fettle.config.jetty.Samples;
import dev.fettle.model.knob.Setting;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TomcatXmlTest {
    private static final String FILE = "conf/server.xml";

    private static TomcatXml read(String text) throws ConfigException {
        return TomcatXml.read(FILE, text);
    }

    /** A file with these lines in its Service. */
    private static String service(String... lines) {
        return "<Server>\n<Service>\n" + String.join("\n", lines)
                + "\n<Engine defaultHost=\"h\"><Host name=\"h\"/></Engine>\n" + "</Service>\n</Server>\n";
    }

    @Test
    void theShippedFileSetsATimeOutAndNothingElse() throws Exception {
        TomcatXml xml = read(Samples.SHIPPED);

        assertThat(xml.setting()).isEqualTo(Setting.of("request.timeout", "20000"));
        assertThat(xml.findings()).isEmpty();
    }

    @Test
    void anExecutorInFrontOfItsConnectorIsItsPool() throws Exception {
        TomcatXml xml = read(service(
                "<Executor name='p' maxThreads='60' minSpareThreads='6' maxIdleTime='7000' maxQueueSize='80'/>",
                "<Connector executor='p' maxThreads='9' acceptCount='20' useVirtualThreads='true'/>"));

        assertThat(xml.setting().asMap())
                .isEqualTo(Map.of(
                        "threads.max", "60",
                        "threads.min", "6",
                        "threads.idle", "7000",
                        "queue.max", "80",
                        "threads.virtual", "false",
                        "backlog", "20"));
        assertThat(xml.findings())
                .containsExactly(
                        FILE + ":4: maxThreads=\"9\" of the Connector is ignored, because it runs on an Executor:"
                                + " there it is maxThreads",
                        FILE
                                + ":4: useVirtualThreads=\"true\" of the Connector is ignored, because it runs on an Executor");
    }

    @Test
    void anExecutorBehindItsConnectorIsIgnoredAndSaysSo() throws Exception {
        TomcatXml xml =
                read(service("<Connector executor='p' maxThreads='9'/>", "<Executor name='p' maxThreads='60'/>"));

        assertThat(xml.setting()).isEqualTo(Setting.of("threads.max", "9"));
        assertThat(xml.findings()).singleElement().asString().startsWith(FILE + ":4: Executor 'p' stands behind");
        assertThat(xml.with(Setting.of("threads.max", "70")))
                .contains("<Connector executor='p' maxThreads='70'/>")
                .contains("<Executor name='p' maxThreads='60'/>");
    }

    /** With fewer threads than spare ones, which are 25 if it does not say, an Executor does not start. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "maxThreads='60', 24, -, maxThreads='24' minSpareThreads=\"24\"",
                "maxThreads='60', 25, -, maxThreads='25'",
                "maxThreads='60', 24, 5, maxThreads='24' minSpareThreads=\"5\"",
                "maxThreads='60' minSpareThreads='4', 4, -, maxThreads='4' minSpareThreads='4'",
                "maxThreads='60' minSpareThreads='50', 40, -, maxThreads='40' minSpareThreads='40'",
            })
    void anExecutorKeepsNoMoreThreadsThanItMayHave(String there, String most, String least, String then)
            throws Exception {
        Setting setting = Setting.of("threads.max", most);
        TomcatXml xml = read(service("<Executor name='p' " + there + "/>", "<Connector executor='p'/>"));

        assertThat(xml.with(least == null ? setting : setting.with("threads.min", least)))
                .contains("<Executor name='p' " + then + "/>");
    }

    @Test
    void anExecutorThatIsNotThereIsSaid() throws Exception {
        assertThat(read(service("<Connector executor='p'/>")).findings())
                .singleElement()
                .asString()
                .startsWith(FILE + ":3: there is no Executor 'p'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<Connector maxThread='5'/>|'maxThread' is no attribute of the Connector (did you mean maxThreads?)",
                "<Connector acceptorThreadCount='2'/>|'acceptorThreadCount' is no attribute of the Connector",
                "<Connector maxThreads='many'/>|maxThreads=\"many\" is not read: threads.max is a whole number",
                "<Connector maxThreads='${threads}'/>|maxThreads=\"${threads}\" is filled in by Tomcat as it starts",
                "<Connector compression='force'/>|compression=\"force\" is not read: compression stands for one of",
                "<Connector connectionUploadTimeout='5'/>|connectionUploadTimeout has no effect without disableUploadTimeout",
                "<Connector useVirtualThreads='true' maxThreads='5'/>|maxThreads has no effect with useVirtualThreads",
                "<Executor name='p' maxThread='5'/><Connector executor='p'/>|'maxThread' is no attribute of the Executor",
                "<Executor name='p' className='my.Pool'/><Connector executor='p'/>|is of a class that Fettle does not know",
            })
    void whatDoesNothingOrIsNotReadIsAFinding(String lines, String words) throws Exception {
        TomcatXml xml = read(service(lines));

        assertThat(xml.findings())
                .singleElement()
                .asString()
                .startsWith(FILE + ":3: ")
                .contains(words);
        assertThat(xml.setting().values()).doesNotContainKey("threads.max");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "threads.max=33|<Executor name='pool' maxThreads='33' minSpareThreads=\"4\"/>",
                "threads.idle=5000|<Executor name='pool' maxThreads='150' minSpareThreads=\"4\" maxIdleTime=\"5000\"/>",
                "backlog=99|acceptCount='99'",
                "http2.streams=7|maxConcurrentStreams=\"7\" />",
                "request.upload.timeout=9|connectionUploadTimeout=\"9\"",
                "request.upload.timeout=9|disableUploadTimeout=\"false\"",
                "threads.virtual=true|useVirtualThreads=\"true\"",
                "admission.max=5|<Host name=\"h\" appBase=\"apps\">",
                "admission.max=5|<Valve className=\"org.apache.catalina.valves.SemaphoreValve\" block=\"false\""
                        + " highConcurrencyStatus=\"503\" concurrency=\"5\"/>",
            })
    void aValueGoesWhereItCounts(String setting, String line) throws Exception {
        String[] kv = setting.split("=");

        assertThat(read(Samples.EXECUTOR).with(Setting.of(kv[0], kv[1]))).contains(line);
    }

    @Test
    void theShippedConnectorTakesValuesInItsOwnLayout() throws Exception {
        String with = read(Samples.SHIPPED)
                .with(Setting.of(Map.of("threads.max", "50", "request.timeout", "9000", "compression", "true")));

        assertThat(with).isEqualTo(Samples.SHIPPED.replace("""
                               connectionTimeout="20000"
                               redirectPort="8443" />
                """, """
                               connectionTimeout="9000"
                               redirectPort="8443"
                               maxThreads="50"
                               compression="on" />
                """));
    }

    @Test
    void http2IsAChildThatComesAndGoes() throws Exception {
        String on = read(Samples.SHIPPED).with(Setting.of("http2", "true"));

        assertThat(on).contains("""
                               redirectPort="8443" >
                      <UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol"/>
                    </Connector>
                """);
        assertThat(read(on).setting().get("http2")).contains("true");
        String off = read(on).with(Setting.of("http2", "false"));
        assertThat(off).doesNotContain("UpgradeProtocol");
        assertThat(read(off).setting()).isEqualTo(read(Samples.SHIPPED).setting());
    }

    @Test
    void aPoolOfTheOtherKindIsLetGo() throws Exception {
        String virtual = read(Samples.EXECUTOR).with(Setting.of("threads.virtual", "true"));
        assertThat(virtual).contains("<Connector port='8080'").doesNotContain("executor='pool'");
        assertThat(read(virtual).setting().get("threads.virtual")).contains("true");
        assertThat(read(virtual).setting().get("threads.max")).isEmpty();

        String both = read(virtual).with(Setting.of(Map.of("threads.virtual", "false", "threads.max", "12")));
        assertThat(read(both).setting().get("threads.max")).contains("12");
    }

    @Test
    void aValueThatWouldDoNothingIsRefused() throws Exception {
        TomcatXml virtual = read(service("<Connector useVirtualThreads='true'/>"));
        TomcatXml ofAClass = read(service("<Executor name='p' className='my.Pool'/>", "<Connector executor='p'/>"));

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> virtual.with(Setting.of("threads.max", "5")))
                .withMessage(FILE + ":3: threads.max has no effect: useVirtualThreads gives each request a virtual"
                        + " thread; set threads.virtual to false with it");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ofAClass.with(Setting.of("threads.max", "5")))
                .withMessageContaining("'p' is of a class that Fettle does not know");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(Samples.SHIPPED).with(Setting.of("threads.selectors", "2")))
                .withMessageContaining("threads.selectors is not tunable here");
    }

    @Test
    void theJvmsAndTheProcessesKnobsArePassedOver() throws Exception {
        Setting setting = Setting.of(Map.of("jvm.heap", "1g", "process.nofile", "1000"));

        assertThat(read(Samples.SHIPPED).with(setting)).isEqualTo(Samples.SHIPPED);
    }

    @Test
    void aPrivateCopyHasOnePortOfItsOwn() throws Exception {
        PrivateServerXml xml = read(Samples.EXECUTOR).privately(40001, true, Optional.empty());

        assertThat(xml.text())
                .contains("<Server port='-1' portOffset=\"0\">")
                .contains(
                        "<Connector port='40001' executor='pool'\r\n      acceptCount='10'\r\n      address=\"127.0.0.1\"")
                .contains("<!-- h2c -->")
                .contains("<Host name=\"h\" appBase=\"webapps\">")
                .doesNotContain("8443", "AJP", "Cluster", "Context");
        assertThat(xml.notes())
                .containsExactly(
                        "left out of the private copy of conf/server.xml: the Connector on port 8443",
                        "left out of the private copy of conf/server.xml: the Connector on port 8009 (AJP/1.3)",
                        "left out of the private copy of conf/server.xml: the Cluster, which would talk to other servers",
                        "left out of the private copy of conf/server.xml: the Context /a (/srv/a)");
        assertThat(xml.engine()).isEqualTo("E");
        assertThat(xml.host()).isEqualTo("h");
    }

    @Test
    void aPrivateCopyOfABaseKeepsItsApplications() throws Exception {
        PrivateServerXml xml = read(Samples.EXECUTOR).privately(40001, false, Optional.empty());

        assertThat(xml.text())
                .contains("<Context path=\"/a\" docBase=\"/srv/a\"/>")
                .contains("appBase=\"webapps\"");
        assertThat(xml.appBase()).isEqualTo("apps");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<Server><Service></Server>|conf/server.xml:1:20: not well-formed",
                "''|conf/server.xml:1:1: not well-formed",
                "<Server port=8005/>|conf/server.xml:1:1",
                "<Server a='1' a='2'/>|not well-formed",
                "<Server>&nothing;</Server>|not well-formed",
                "<server/>|is no server.xml of Tomcat: its root is <server>",
                "<Server><Service/></Server>|has no HTTP Connector without TLS",
                "<Server><Service><Connector SSLEnabled='true'/><Connector protocol='AJP/1.3'/></Service></Server>|has no HTTP",
            })
    void whatIsNoServerXmlIsRefusedWithItsPlace(String text, String words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(text))
                .withMessageContaining(words)
                .withMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE Server SYSTEM \"http://127.0.0.1:9/x.dtd\"><Server/>",
                "<!DOCTYPE Server [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><Server>&x;</Server>",
                "<!DOCTYPE Server [<!ENTITY % x SYSTEM \"file:///etc/hostname\"> %x;]><Server/>",
                "<!DOCTYPE Server [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"
                        + "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]><Server a='&c;'>&c;</Server>"
            })
    void aDocumentTypeIsRefusedWithAllThatCouldComeWithIt(String text) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(text))
                .withMessageStartingWith("conf/server.xml:1: a document type (<!DOCTYPE …>) is not read");
    }

    @Test
    void elementsAreNotNestedWithoutEnd() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("<Server>" + "<a>".repeat(200_000)))
                .withMessageContaining("nested more than 50 deep");
    }

    @ParameterizedTest
    @CsvSource({
        "'<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Server/>',ISO-8859-1",
        "<?xml version='1.0' encoding='windows-1252' ?>,windows-1252",
        "<Server/>,UTF-8",
        "<?xml version='1.0' encoding='no such'?>,UTF-8"
    })
    void theDeclaredCharacterSetIsFound(String head, String charset) {
        assertThat(TomcatXml.charset(head.getBytes(StandardCharsets.US_ASCII)).name())
                .isEqualTo(charset);
    }
}
