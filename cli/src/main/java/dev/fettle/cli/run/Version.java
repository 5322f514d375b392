package dev.fettle.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Fettle's version, as the build wrote it. */
public final class Version implements IVersionProvider {
    public static String text() {
        var p = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/dev/fettle/cli/version.properties")) {
            if (in != null) {
                p.load(in);
            }
        } catch (IOException e) {
            return "unknown";
        }
        return p.getProperty("version", "unknown");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"fettle " + text() + ", Java " + Runtime.version()};
    }
}
