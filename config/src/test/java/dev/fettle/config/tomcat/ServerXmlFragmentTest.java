package dev.fettle.config.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.config.ConfigException;
import dev.fettle.config.jetty.Samples;
import org.junit.jupiter.api.Test;

class ServerXmlFragmentTest {
    private static String merged(String text, String fragment) throws ConfigException {
        return TomcatXml.read("server.xml", text).merged(fragment);
    }

    @Test
    void attributesAndChildrenOfTheConnectorGoToTheHttpConnector() throws Exception {
        String text = merged(Samples.SHIPPED, """
                <!-- why -->
                <Connector port="9" protocol="x"
                          maxThreads="51">
                  <UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol" maxConcurrentStreams="7" />
                </Connector>
                <!-- inside Host or Context -->
                <Valve className="org.apache.catalina.valves.SemaphoreValve" concurrency="9" block="false" highConcurrencyStatus="503" />
                """);
        var setting = TomcatXml.read("server.xml", text).setting();
        assertThat(setting.get("threads.max")).contains("51");
        assertThat(setting.get("http2")).contains("true");
        assertThat(setting.get("http2.streams")).contains("7");
        assertThat(setting.get("admission.max")).contains("9");
        assertThat(text).contains("<Connector port=\"8080\" protocol=\"HTTP/1.1\"");
    }

    @Test
    void attributesOfAnExecutorGoToTheOneThatTheConnectorRunsOn() throws Exception {
        String fragment = "<Executor name=\"pool\" maxThreads=\"51\" />\n";
        var read = TomcatXml.read("server.xml", merged(Samples.EXECUTOR, fragment));
        assertThat(read.setting().get("threads.max")).contains("51");
        assertThat(read.executor()).contains("pool");
        assertThat(TomcatXml.read("server.xml", Samples.SHIPPED).executor()).isEmpty();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> merged(Samples.SHIPPED, fragment))
                .withMessageContaining("no Executor");
    }

    @Test
    void whatIsThereOfTheSameClassTakesTheValues() throws Exception {
        String text = merged(
                Samples.EXECUTOR,
                "<Connector><UpgradeProtocol className=\"org.apache.coyote.http2.Http2Protocol\""
                        + " maxConcurrentStreams=\"7\"/></Connector>");
        assertThat(text).containsOnlyOnce("<UpgradeProtocol").contains("maxConcurrentStreams=\"7\"");
    }

    @Test
    void aFragmentThatIsNotWellFormedOrDeclaresATypeIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> merged(Samples.SHIPPED, "<Connector maxThreads=51/>"))
                .withMessageContaining("the fragment:");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> merged(Samples.SHIPPED, "<!DOCTYPE x><Connector/>"));
    }
}
