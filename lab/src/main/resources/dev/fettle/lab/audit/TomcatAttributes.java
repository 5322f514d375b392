import java.lang.reflect.Method;
import java.util.Locale;

/**
 * Run on Tomcat's own class path: says of each ELEMENT.ATTRIBUTE=VALUE whether that Tomcat has a property for it, a line each. Nothing is
 * started.
 */
public final class TomcatAttributes {
    private TomcatAttributes() {}

    public static void main(String[] args) throws Exception {
        System.out.println("version " + Class.forName("org.apache.catalina.util.ServerInfo").getMethod("getServerNumber").invoke(null));
        for (String arg : args) {
            String name = arg.substring(arg.indexOf('.') + 1, arg.indexOf('='));
            String value = arg.substring(arg.indexOf('=') + 1);
            boolean known;
            if (arg.startsWith("Connector.")) {
                Object connector = Class.forName("org.apache.catalina.connector.Connector")
                        .getConstructor(String.class)
                        .newInstance("HTTP/1.1");
                Method set = connector.getClass().getMethod("setProperty", String.class, String.class);
                known = setter(connector, name)
                        || name.equals("executor")
                        || name.equals("protocol")
                        || (boolean) set.invoke(connector, name, value)
                        || (boolean) set.invoke(connector, name, "1")
                        || (boolean) set.invoke(connector, name, "true");
            } else {
                known = setter(
                        Class.forName("org.apache.catalina.core.StandardThreadExecutor")
                                .getConstructor()
                                .newInstance(),
                        name)
                        || name.equals("className");
            }
            System.out.println((known ? "known " : "unknown ") + arg.substring(0, arg.indexOf('=')));
        }
    }

    private static boolean setter(Object of, String name) {
        String wanted = "set" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (Method m : of.getClass().getMethods()) {
            if (m.getName().equals(wanted) && m.getParameterCount() == 1) {
                return true;
            }
        }
        return false;
    }
}
