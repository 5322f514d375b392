package dev.fettle.model.trial;

import java.util.List;
import java.util.regex.Pattern;

/** What frames of a stack tell, in a dump as in a profile. A frame is its class and method: {@code java.util.regex.Pattern.match}. */
public final class StackFrames {
    /** TLS of the servers and of the JDK: Tomcat's SecureNioChannel, Jetty's SslConnection, Undertow's SslConduit. */
    private static final Pattern TLS = Pattern.compile("[.$]Ssl|SSL|SecureNio|OpenSsl|sun[.]security[.]");

    private static final List<String> THROWING = List.of(Throwable.class.getName(), StackTraceElement.class.getName());

    /** What the names of classes have in them that a library or the JVM makes while a program runs: proxies, subclasses, accessors, lambdas. */
    private static final List<String> GENERATED = List.of("""
            .$Proxy $HibernateProxy $HibernateInstantiator $HibernateAccessOptimizer $$Lambda $$EnhancerBy
            $$FastClassBy $$SpringCGLIB $$FastClass $$KeyFactoryBy $ByteBuddy $MockitoMock $auxiliary$ _$$_
            _ClientProxy. _Subclass. $$_Weld $$OwbNormalScopeProxy GeneratedMethodAccessor
            GeneratedConstructorAccessor LambdaForm$""".split("\\s+"));

    private StackFrames() {}

    /**
     * Whether a frame is of a class that was made while the program ran: who calls it, or what it calls, is in the program's source.
     *
     * @param frame a method with its class in front
     */
    public static boolean isGenerated(String frame) {
        if (frame.startsWith("0x")) {
            return true; // a hidden class, without the name of what it was made for
        }
        // a cheap look first: hardly any other name has one of these
        if (frame.indexOf('$') < 0 && frame.indexOf('_') < 0 && !frame.contains("Generated")) {
            return false;
        }
        for (String part : GENERATED) {
            if (frame.contains(part)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@code shop.Cart.total} for a lambda in it, whose method is {@code shop.Cart.lambda$total$0}.
     *
     * @param method with its class in front
     */
    public static String plain(String method) {
        int lambda = method.indexOf(".lambda$");
        if (lambda < 0) {
            return method;
        }
        String rest = method.substring(lambda + ".lambda$".length());
        int end = rest.indexOf('$');
        String of = end < 0 ? rest : rest.substring(0, end);
        return method.substring(0, lambda) + "." + (of.equals("new") || of.equals("static") ? "<init>" : of);
    }

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
     * The place of the caller: the innermost Java method outside the JDK that is in some source.
     *
     * @param frames outermost first
     * @return its index; -1 if there is none
     */
    public static int caller(List<String> frames) {
        for (int i = frames.size() - 1; i >= 0; i--) {
            if (isJava(frames.get(i)) && !JdkPackages.have(frames.get(i)) && !isGenerated(frames.get(i))) {
                return i;
            }
        }
        return -1;
    }
}
