package dev.fettle.config.audit;

import dev.fettle.config.tomcat.XmlElement;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Elements of Tomcat's and Jetty's XML within any text. Each tag is read by itself; entities and document types are ignored. */
final class XmlFragments {
    private static final Set<String> TOMCAT =
            Set.of("Connector", "Executor", "UpgradeProtocol", "Valve", "Resource", "Resources", "Context");
    /** Elements that are judged by their class alone. */
    private static final Set<String> BY_CLASS = Set.of("""
            Listener Realm Manager Store Loader Cluster Channel Membership Receiver Sender Transport Interceptor
            Deployer ClusterListener CredentialHandler CookieProcessor SessionIdGenerator""".split("\\s+"));

    private static final Pattern TAG = Pattern.compile("<(" + String.join("|", TOMCAT) + ")(?![\\w-])"
            + "((?:[^<>\"']++|\"[^\"<]{0,2000}+\"|'[^'<]{0,2000}+'){0,400}+)>");
    private static final Pattern ATTRIBUTE =
            Pattern.compile("([A-Za-z][\\w.:-]{0,60})\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");
    private static final Pattern SET = Pattern.compile(
            "<Set\\s+name=\"(\\w{1,60})\"\\s*>\\s*(?:<Property\\s[^>]{0,300}?default=\"([^\"]{0,100})\"\\s*/>|<SystemProperty\\s[^>]{0,300}?default=\"([^\"]{0,100})\"\\s*/>|([^<]{0,200}))");
    private static final Pattern SET_PROPERTY =
            Pattern.compile("<Set\\s+name=\"(\\w{1,60})\"\\s+property=\"([\\w.]{1,100})\"\\s*/>");
    private static final Pattern NEW = Pattern.compile("<New\\s[^>]{0,200}?class=\"([\\w.$]{1,200})\"");
    private static final Pattern CLASS = Pattern.compile(
            "<(?:New|Configure|Call|Get|Set)\\s[^>]{0,300}?class=\"(org\\.eclipse\\.jetty\\.[\\w.$]{1,200})\"");
    /** Scope of what is set in XML; the class that it is set on follows. */
    private static final String JETTY_OBJECT = "xml ";

    private static final Pattern ARG = Pattern.compile("<Arg\\s+type=\"int\"\\s*>\\s*(\\d{1,12})\\s*</Arg>");
    private static final Pattern SESSION = Pattern.compile("<session-timeout>\\s*(-?\\d{1,9})\\s*</session-timeout>");

    private XmlFragments() {}

    /** Start tags in any text that look like Tomcat's elements. */
    static List<XmlElement> loose(String text) {
        var out = new ArrayList<XmlElement>();
        Matcher tag = TAG.matcher(blanked(text));
        while (tag.find()) {
            var attributes = new ArrayList<XmlElement.Attribute>();
            Matcher a = ATTRIBUTE.matcher(tag.group(2));
            while (a.find()) {
                int value = a.start(2) < 0 ? 3 : 2;
                int at = tag.start(2);
                attributes.add(new XmlElement.Attribute(
                        a.group(1), a.group(value), at + a.start(), at + a.start(value), at + a.end(value)));
            }
            out.add(new XmlElement(
                    Optional.empty(), tag.group(1), attributes, tag.start(), tag.end(1), tag.end(), tag.end(), false));
        }
        return out;
    }

    /** Adds what Tomcat's elements set. They come from the parser, or from {@link #loose}. */
    static void tomcat(Source in, List<XmlElement> elements) {
        int n = 0;
        for (XmlElement e : elements) {
            if (BY_CLASS.contains(e.name())) {
                e.attributes().stream()
                        .filter(a -> a.name().equals("className"))
                        .forEach(a -> in.add(
                                SettingKind.TOMCAT,
                                e.name() + ".className",
                                a.value(),
                                in.line(a.start(), a.end(), in.start(in.lineOf(e.start()))),
                                ""));
            }
            if (!TOMCAT.contains(e.name())) {
                continue;
            }
            String scope = e.name() + " " + ++n;
            String name = e.value("className")
                    .map(c -> "[" + c.substring(c.lastIndexOf('.') + 1) + "]")
                    .filter(c -> !e.name().equals("Executor"))
                    .orElse("");
            if (e.name().equals("Executor") || e.name().equals("Connector")) {
                in.add(SettingKind.TOMCAT, e.name(), "", in.line(e.start(), e.start(), -1), scope);
            }
            int comment = in.start(in.lineOf(e.start()));
            for (XmlElement.Attribute a : e.attributes()) {
                in.add(
                        SettingKind.TOMCAT,
                        e.name() + name + "." + a.name(),
                        a.value(),
                        in.line(a.start(), a.end(), comment),
                        scope);
            }
        }
        String text = blanked(in.text());
        Matcher session = SESSION.matcher(text);
        while (session.find()) {
            in.add(
                    SettingKind.TOMCAT,
                    "session-timeout",
                    session.group(1),
                    in.place(session.start(), session.end()),
                    "");
        }
    }

    /** Adds what Jetty's elements set. */
    static void jetty(Source in) {
        String text = blanked(in.text());
        var objects = new JettyObjects(text);
        Matcher set = SET.matcher(text);
        while (set.find()) {
            String value = set.group(2) != null ? set.group(2) : set.group(3) != null ? set.group(3) : set.group(4);
            in.add(
                    SettingKind.JETTY,
                    set.group(1),
                    value == null ? "" : value.strip(),
                    in.place(set.start(), set.end()),
                    JETTY_OBJECT + objects.of(set.start()));
        }
        set = SET_PROPERTY.matcher(text);
        while (set.find()) {
            in.add(
                    SettingKind.JETTY,
                    set.group(1),
                    "",
                    in.place(set.start(), set.end()),
                    JETTY_OBJECT + objects.of(set.start()));
        }
        Matcher created = NEW.matcher(text);
        while (created.find()) {
            String name = created.group(1).substring(created.group(1).lastIndexOf('.') + 1);
            in.add(SettingKind.JETTY, "New " + name, "", in.place(created.start(), created.end()), JETTY_OBJECT);
        }
        Matcher type = CLASS.matcher(text);
        while (type.find()) {
            in.add(SettingKind.JETTY, "class", type.group(1), in.place(type.start(1), type.end(1)), JETTY_OBJECT);
        }
        Matcher arg = ARG.matcher(text);
        while (arg.find()) {
            in.add(SettingKind.JETTY, "Arg", arg.group(1), in.place(arg.start(), arg.end()), JETTY_OBJECT);
        }
    }

    /** Replaces comments by blanks, so that offsets do not change. */
    private static String blanked(String text) {
        if (!text.contains("<!--")) {
            return text;
        }
        var out = new StringBuilder(text);
        int from = text.indexOf("<!--");
        for (int to = end(text, from); to > 0; from = text.indexOf("<!--", to), to = end(text, from)) {
            for (int i = from; i < to; i++) {
                if (out.charAt(i) != '\n') {
                    out.setCharAt(i, ' ');
                }
            }
        }
        return out.toString();
    }

    /** Where the comment that begins there ends; -1 if there is none, or it has no end. */
    private static int end(String text, int from) {
        int to = from < 0 ? -1 : text.indexOf("-->", from + 4);
        return to < 0 ? -1 : to + 3;
    }
}
