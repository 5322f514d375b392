package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is audited may be anybody's: whatever in it could be run writes a file here, and no such file must be there in the end. */
class AuditRunsNothingTest {
    @TempDir
    Path folder;

    @TempDir
    Path marks;

    private Path audited;
    private Path elsewhere;

    @BeforeEach
    void folders() throws Exception {
        audited = Files.createDirectories(folder.resolve("audited"));
        elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    }

    private record Ended(int code, String out, List<String> started) {}

    /** Runs an audit, and lists the processes that it starts. */
    private Ended audit(String... arguments) throws Exception {
        var out = new StringWriter();
        Path file = Files.createTempFile(marks, "processes", ".jfr");
        int code;
        try (var recording = new Recording()) {
            recording.enable("jdk.ProcessStart").withoutStackTrace();
            recording.start();
            var line = Main.commandLine()
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(OutputStream.nullOutputStream()));
            code = line.execute(
                    Stream.concat(Stream.of("audit"), Arrays.stream(arguments)).toArray(String[]::new));
            recording.stop();
            recording.dump(file);
        }
        List<String> started = RecordingFile.readAllEvents(file).stream()
                .map((RecordedEvent e) -> e.getString("command"))
                .filter(c -> c != null && c.contains(folder.toString()))
                .toList();
        Files.delete(file);
        return new Ended(code, out.toString(), started);
    }

    private void nothingWasRun(Ended e) {
        assertThat(marks).as(e.out).isEmptyDirectory();
        assertThat(e.started).isEmpty();
    }

    private static void write(Path file, String text) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** A program that leaves a mark, under the names of all that an audit could want. */
    private void programs(Path bin) throws Exception {
        for (String name :
                List.of("java", "javac", "nginx", "unshare", "sh", "sysctl", "docker", "catalina.sh", "version.sh")) {
            Path program = bin.resolve(name);
            write(program, "#!/bin/sh\ntouch " + marks.resolve(name) + "\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
    }

    /** Jars of a Tomcat whose classes leave a mark when they are initialised. */
    private void tomcat(Path home) throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        String mark = "static { try { new java.io.File(\"%s\").createNewFile(); } catch (Exception e) { } }";
        Map<String, String> sources = Map.of(
                "org.apache.catalina.util.ServerInfo",
                "public static String getServerNumber() { return \"11.0.1\"; }",
                "org.apache.catalina.connector.Connector",
                "public Connector(String p) { } public void setPort(int p) { } public boolean setProperty(String n, String v) { return true; }",
                "org.apache.catalina.core.StandardThreadExecutor",
                "public void setMaxThreads(int n) { }");
        var arguments = new ArrayList<>(List.of("--release", "17", "-proc:none"));
        for (var e : sources.entrySet()) {
            int dot = e.getKey().lastIndexOf('.');
            Path source = classes.resolve(e.getKey().replace('.', '/') + ".java");
            write(
                    source,
                    "package " + e.getKey().substring(0, dot) + "; public class "
                            + e.getKey().substring(dot + 1) + " { " + mark.formatted(marks.resolve(e.getKey()))
                            + e.getValue() + "}");
            arguments.add(source.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, new ByteArrayOutputStream(), System.err, arguments.toArray(String[]::new)))
                .isZero();
        for (String jar : List.of("lib/catalina.jar", "lib/tomcat-coyote.jar", "bin/bootstrap.jar")) {
            Files.createDirectories(home.resolve(jar).getParent());
            try (var zip = new ZipOutputStream(Files.newOutputStream(home.resolve(jar)))) {
                for (String c : sources.keySet()) {
                    String name = c.replace('.', '/') + ".class";
                    zip.putNextEntry(new ZipEntry(name));
                    zip.write(Files.readAllBytes(classes.resolve(name)));
                }
                zip.putNextEntry(new ZipEntry("org/apache/catalina/util/ServerInfo.properties"));
                zip.write("server.number=10.1.7.0\n".getBytes());
            }
        }
    }

    private static final String SERVER_XML =
            "<Server><Service name=\"C\"><Connector port=\"8080\" maxThreads=\"5\" bogus=\"1\"/></Service></Server>";

    /** Its property names are read from its class files: what those say counts, and none of them is loaded. */
    @Test
    void theTomcatAroundAServerXmlIsReadAndNotRun() throws Exception {
        tomcat(audited);
        write(audited.resolve("conf/server.xml"), SERVER_XML);
        Ended e = audit(audited.toString(), "--json");
        nothingWasRun(e);
        assertThat(e.code).isZero();
        assertThat(e.out).contains("Connector.bogus", "Tomcat 10.1.7").doesNotContain("attributes were not checked");
    }

    @Test
    void aTomcatThatTheUserNamedIsNotRunEither() throws Exception {
        tomcat(elsewhere);
        write(audited.resolve("server.xml"), SERVER_XML);
        Ended e = audit(audited.toString(), "--tomcat", elsewhere.toString(), "--json");
        nothingWasRun(e);
        assertThat(e.out).contains("Tomcat 10.1.7");
    }

    /** A link names a place just as a text does. */
    @Test
    void aLinkToATomcatElsewhereIsNotFollowed() throws Exception {
        tomcat(elsewhere);
        write(audited.resolve("conf/server.xml"), SERVER_XML);
        Files.createSymbolicLink(audited.resolve("lib"), elsewhere.resolve("lib"));
        Ended e = audit(audited.toString(), "--json");
        nothingWasRun(e);
        assertThat(e.out).doesNotContain("10.1.7");
        Files.delete(audited.resolve("lib"));
        Files.createDirectory(audited.resolve("lib"));
        Files.createSymbolicLink(audited.resolve("lib/catalina.jar"), elsewhere.resolve("lib/catalina.jar"));
        e = audit(audited.toString(), "--json");
        nothingWasRun(e);
        assertThat(e.out).doesNotContain("10.1.7");
    }

    /** JDKs and servers in the folder, and every way of naming them that a configuration has. */
    @Test
    void noProgramInTheFolderOrNamedInItIsRun() throws Exception {
        for (Path home : List.of(audited, elsewhere, audited.resolve("jdk"))) {
            programs(home.resolve("bin"));
            write(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
            tomcat(home);
            Files.createDirectories(home.resolve("modules"));
            Files.createDirectories(home.resolve("etc"));
            write(home.resolve("start.jar"), "");
        }
        String flags = "-XX:+UseG1GC -XX:MaxPermSize=1m -Xmx64m";
        write(audited.resolve("conf/server.xml"), SERVER_XML);
        write(
                audited.resolve("bin/setenv.sh"),
                "export JAVA_HOME=" + elsewhere + "\nJRE_HOME=" + elsewhere + "\nCATALINA_HOME=" + elsewhere + "\nPATH="
                        + elsewhere + "/bin:$PATH\nCATALINA_OPTS=\"" + flags + "\"\n");
        write(audited.resolve("setenv.bat"), "set JAVA_HOME=" + elsewhere + "\r\nset CATALINA_OPTS=" + flags + "\r\n");
        write(
                audited.resolve("ecosystem.config.js"),
                "module.exports = {apps: [{script: '" + elsewhere + "/bin/java', args: '" + flags + "'}]};\n");
        write(
                audited.resolve("jvm.options"),
                flags.replace(' ', '\n') + "\n-javaagent:" + elsewhere + "/lib/catalina.jar\n-XX:OnError="
                        + elsewhere + "/bin/sh\n-XX:Flags=" + elsewhere + "/x\n@" + elsewhere + "/args\n-agentpath:"
                        + elsewhere
                        + "/bin/java\n");
        write(
                audited.resolve("Dockerfile"),
                "FROM tomcat:10\nENV JAVA_HOME=" + elsewhere + "\nENV CATALINA_OPTS=\"" + flags + "\"\nRUN " + elsewhere
                        + "/bin/java -version\nCMD [\"" + elsewhere + "/bin/java\", \"" + flags + "\"]\n");
        write(
                audited.resolve("app.service"),
                "[Service]\nEnvironment=JAVA_HOME=" + elsewhere + "\nEnvironment=\"JAVA_OPTS=" + flags
                        + "\"\nExecStartPre=" + elsewhere + "/bin/sh\nExecStart=" + elsewhere + "/bin/java " + flags
                        + " -jar x.jar\nLimitNOFILE=1024\n");
        write(
                audited.resolve("compose.yaml"),
                "services:\n  app:\n    image: x\n    environment:\n      JAVA_HOME: " + elsewhere
                        + "\n      JAVA_OPTS: \"" + flags + "\"\n    sysctls:\n      net.core.somaxconn: 1024\n");
        write(
                audited.resolve("nginx.conf"),
                "load_module " + elsewhere + "/bin/nginx;\nevents { worker_connections 512; }\nhttp { include "
                        + elsewhere + "/x; sendfile on; keepalive_timeout 3; }\n");
        write(
                audited.resolve("99.sysctl.conf"),
                "kernel.core_pattern = |" + elsewhere + "/bin/sh\nkernel.modprobe = " + elsewhere
                        + "/bin/sh\nnet.core.somaxconn = 1024\n");
        write(audited.resolve("start.ini"), "--exec-properties=" + elsewhere + "\njetty.http.port=8080\n");
        write(
                audited.resolve("application.properties"),
                "server.port=8080\nserver.tomcat.basedir=" + elsewhere + "\nspring.config.import=" + elsewhere
                        + "/x\n");
        Files.createSymbolicLink(audited.resolve("java"), elsewhere.resolve("bin/java"));
        nothingWasRun(audit(audited.toString()));
        try (Stream<Path> files = Files.walk(audited)) {
            for (Path f : files.filter(
                            f -> f.toString().matches(".*(?:conf|sh|js|options|file|service|yaml|ini|properties|xml)"))
                    .filter(Files::isRegularFile)
                    .toList()) {
                nothingWasRun(audit(f.toString(), "--all"));
            }
        }
    }

    /** Started as a program of its own: it says of its JDK what it wants, once its management agent is up. */
    static final class Liar {
        private Liar() {}

        public static void main(String[] args) throws Exception {
            System.setProperty("java.home", args[0]);
            System.setProperty("java.specification.version", "25");
            System.out.println("up");
            Thread.sleep(600_000);
        }
    }

    @Test
    void whatAProcessSaysOfItsJdkIsNotRun() throws Exception {
        programs(elsewhere.resolve("bin"));
        write(elsewhere.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-Dcom.sun.management.jmxremote",
                        "-XX:MaxJavaStackTraceDepth=100", // no rule knows it, the process's JDK does
                        "-cp",
                        System.getProperty("java.class.path"),
                        Liar.class.getName(),
                        elsewhere.toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(jvm.inputReader().readLine()).isEqualTo("up");
            Ended e = audit("--pid", Long.toString(jvm.pid()), "--json");
            nothingWasRun(e);
            assertThat(e.code).as(e.out).isZero();
            assertThat(e.out).contains("UseSerialGC").contains("probed").doesNotContain("was not started");
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Any file can have that name: one line is said, and the rest is judged. */
    @Test
    void whatIsNoTomcatIsOneLine() throws Exception {
        write(audited.resolve("conf/server.xml"), SERVER_XML);
        Path jar = audited.resolve("lib/catalina.jar");
        write(jar, "PK\3\4 no jar");
        refused(jar);
        for (byte[] clazz : new byte[][] {
            {},
            "CAFE".getBytes(),
            {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 0, 69, (byte) 0xff, (byte) 0xff, 7, 0, 1},
            new byte[3 << 20]
        }) {
            try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
                zip.putNextEntry(new ZipEntry("org/apache/catalina/connector/Connector.class"));
                zip.write(clazz);
            }
            refused(jar);
        }
        // a small file that would be 256 MB unpacked
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.setLevel(9);
            zip.putNextEntry(new ZipEntry("org/apache/catalina/util/ServerInfo.properties"));
            var zeros = new byte[1 << 20];
            for (int i = 0; i < 256; i++) {
                zip.write(zeros);
            }
        }
        refused(jar);
        Files.delete(jar);
        assertThat(new ProcessBuilder("mkfifo", jar.toString()).start().waitFor())
                .isZero();
        assertThat(audit(audited.toString()).code).isZero();
    }

    private void refused(Path jar) throws Exception {
        Ended e = audit(audited.toString());
        assertThat(e.code).isZero();
        assertThat(e.out.lines().filter(l -> l.contains("attributes were not checked")))
                .hasSize(1);
        assertThat(e.out).contains(jar.toString()).contains("maxThreads").doesNotContain("Exception");
    }

    /** What is read is shown: a link must not bring in what lies outside, such as a key of the machine that audits. */
    @Test
    void aLinkOutOfTheFolderIsNotRead() throws Exception {
        write(elsewhere.resolve("secret.conf"), "vm.swappiness = 4711\n");
        write(audited.resolve("a.sysctl.conf"), "vm.swappiness = 17\n");
        Files.createSymbolicLink(audited.resolve("b.sysctl.conf"), elsewhere.resolve("secret.conf"));
        Files.createSymbolicLink(audited.resolve("c.sysctl.conf"), Path.of("a.sysctl.conf"));
        Ended e = audit(audited.toString(), "--json");
        assertThat(e.out)
                .doesNotContain("4711")
                .contains("b.sysctl.conf was not read")
                .contains("c.sysctl.conf\"");
        // named by the user it is read, as is a folder that is a link itself
        assertThat(audit(audited.resolve("b.sysctl.conf").toString()).out).contains("4711");
        Files.createSymbolicLink(folder.resolve("link"), audited);
        assertThat(audit(folder.resolve("link").toString(), "--json").out).contains("a.sysctl.conf\"");
    }
}
