package dev.fettle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a launcher sees of a server that does not start: one line and an exit code. */
class FailuresTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      server=jetty app=hello nonsense=1      | unknown key 'nonsense'
      server=jetty app=shop                  | unknown app 'shop'
      server=weblogic app=hello              | unknown server 'weblogic'
      app=hello                              | server is missing
      server=tomcat app=login                | app=login needs app.backend
      server=jetty app=hello queue.max=5     | admission.queue
      server=jetty app=hello war=.           | app and war are both given
      server=jetty war=. app.cpu=1ms         | app and war are both given
      server=jetty war=.                     | war needs scratch=FOLDER
      server=jetty war=none scratch=.        | two folders are wanted
      server=jetty war=. scratch=. context=x | context=x: / or a path like /shop is wanted
      server=jetty app=hello context=/x      | context and scratch go with war=FOLDER
      """)
    void aBadArgumentEndsWith2(String args, String reason) throws Exception {
        try (Child child = Child.start(Main.class, args.split(" "))) {
            assertThat(child.firstLine)
                    .startsWith("FETTLE-FAILED {")
                    .contains(reason)
                    .contains("\"exitCode\":2");
            assertThat(child.exitCode()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void aPortInUseEndsWith3(String server) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Child child =
                        Child.start(Main.class, "server=" + server, "app=hello", "port=" + taken.getLocalPort())) {
            assertThat(child.firstLine)
                    .startsWith("FETTLE-FAILED {")
                    .contains("127.0.0.1:" + taken.getLocalPort())
                    .contains("\"kind\":\"port-in-use\"");
            assertThat(child.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void jettysThreadBudgetIsToldInItsOwnWordsAndEndsWith4() throws Exception {
        try (Child child =
                Child.start(Main.class, "server=jetty", "app=hello", "threads.max=3", "threads.reserved=1")) {
            assertThat(child.firstLine)
                    .startsWith("FETTLE-FAILED {")
                    .contains("Insufficient configured threads")
                    .contains("\"kind\":\"refused\"");
            assertThat(child.exitCode()).isEqualTo(4);
        }
    }

    @Test
    void anAddressOfAnotherMachineIsRefusedNotInUse() throws Exception {
        // TEST-NET-1 (RFC 5737) belongs to nobody
        try (Child child = Child.start(Main.class, "server=jetty", "app=hello", "host=192.0.2.1")) {
            assertThat(child.firstLine).contains("\"kind\":\"refused\"");
            assertThat(child.exitCode()).isEqualTo(4);
        }
    }
}
