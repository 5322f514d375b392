package dev.fettle.config.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.config.ConfigException;
import org.junit.jupiter.api.Test;

class XPathAttributeTest {
    private static final String XML = """
            <?xml version="1.0"?>
            <!-- ours -->
            <Server  port="8005">
              <Resource name='jdbc/a' maxTotal='8'
                        maxIdle="2"/> <Resource name="jdbc/shop"  maxTotal="8"/>
              <x><Resource name="jdbc/b"/></x>
            </Server>
            """;

    @Test
    void onlyTheAttributeChanges() throws Exception {
        assertThat(XPathAttribute.with("a.xml", XML, "//Resource[@name='jdbc/shop']/@maxTotal", "50"))
                .isEqualTo(XML.replace("\"jdbc/shop\"  maxTotal=\"8\"", "\"jdbc/shop\"  maxTotal=\"50\""));
        assertThat(XPathAttribute.with("a.xml", XML, "/Server/Resource[1]/@maxTotal", "a'<"))
                .contains("maxTotal='a&apos;&lt;'", "maxIdle=\"2\"");
    }

    @Test
    void whatIsNotThereIsAddedAndAllThatMatchAreSet() throws Exception {
        assertThat(XPathAttribute.with("a.xml", XML, "//x/Resource/@maxTotal", "9"))
                .contains("<Resource name=\"jdbc/b\" maxTotal=\"9\"/>");
        assertThat(XPathAttribute.with("a.xml", XML, "//Resource/@maxTotal", "7")
                        .split("maxTotal=.7", -1))
                .hasSize(4);
    }

    @Test
    void aPathThatLeadsNowhereIsTold() {
        for (String path : new String[] {"//Valve/@a", "//Resource[/@a", "//Resource"}) {
            assertThatExceptionOfType(ConfigException.class)
                    .as(path)
                    .isThrownBy(() -> XPathAttribute.with("a.xml", XML, path, "1"));
        }
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> XPathAttribute.with("a.xml", "<a", "/a/@b", "1"))
                .withMessageContaining("a.xml is no XML");
    }

    /** A file of the user's must not make Fettle read another one. */
    @Test
    void externalEntitiesAreNotRead() {
        String text = "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/hostname\">]><a b=\"1\">&e;</a>";
        try {
            assertThat(XPathAttribute.with("a.xml", text, "/a/@b", "2")).isEqualTo(text.replace("\"1\"", "\"2\""));
        } catch (ConfigException e) {
            assertThat(e).hasMessageContaining("a.xml");
        }
    }
}
