package dev.fettle.model.trial;

import java.util.List;
import java.util.regex.Pattern;

/** What frames of a stack tell, in a dump as in a profile. A frame is its class and method: {@code java.util.regex.Pattern.match}. */
public final class StackFrames {
    /** TLS of the servers and of the JDK: Tomcat's SecureNioChannel, Jetty's SslConnection, Undertow's SslConduit. */
    private static final Pattern TLS = Pattern.compile("[.$]Ssl|SSL|SecureNio|OpenSsl|sun[.]security[.]");

    private static final List<String> THROWING = List.of(Throwable.class.getName(), StackTraceElement.class.getName());

    private StackFrames() {}

    /** Whether a frame is a Java method: those of the kernel and of libraries have their place behind a space, or no dot. */
    public static boolean isJava(String frame) {
        return frame.indexOf(' ') < 0 && frame.indexOf('.') > 0 && frame.charAt(0) != '[';
    }

    /** Whether a frame, the innermost outside the JDK, is in TLS. */
    public static boolean isTls(String frame) {
        return TLS.matcher(frame).find();
    }

    /**
     * Whether a frame creates an exception, or reads its stack.
     *
     * @param name a class, or a method with its class in front
     */
    public static boolean throwing(String name) {
        for (String type : THROWING) {
            if (name.startsWith(type) && (name.length() == type.length() || name.charAt(type.length()) == '.')) {
                return true;
            }
        }
        return false;
    }

    /**
     * The place of the caller: the innermost Java method outside the JDK.
     *
     * @param frames outermost first
     * @return its index; -1 if there is none
     */
    public static int caller(List<String> frames) {
        for (int i = frames.size() - 1; i >= 0; i--) {
            if (isJava(frames.get(i)) && !JdkPackages.have(frames.get(i))) {
                return i;
            }
        }
        return -1;
    }
}
