package dev.fettle.config.audit;

import dev.fettle.model.audit.SettingKind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Elements of Tomcat's and Jetty's XML within any text. Tags are looked at one by one: no entity and no document type counts. */
final class XmlFragments {
    private static final Pattern TAG =
            Pattern.compile("<(Connector|Executor|UpgradeProtocol|Valve|Resource|Resources|Context|session-config)\\b"
                    + "((?:[^<>\"']++|\"[^\"<]{0,2000}+\"|'[^'<]{0,2000}+'){0,400}+)>");
    private static final Pattern ATTRIBUTE =
            Pattern.compile("([A-Za-z][\\w.:-]{0,60})\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");
    private static final Pattern SET = Pattern.compile(
            "<Set\\s+name=\"(\\w{1,60})\"\\s*>\\s*(?:<Property\\s[^>]{0,300}?default=\"([^\"]{0,100})\"\\s*/>|<SystemProperty\\s[^>]{0,300}?default=\"([^\"]{0,100})\"\\s*/>|([^<]{0,200}))");
    private static final Pattern SET_PROPERTY =
            Pattern.compile("<Set\\s+name=\"(\\w{1,60})\"\\s+property=\"([\\w.]{1,100})\"\\s*/>");
    private static final Pattern NEW = Pattern.compile("<New\\s[^>]{0,200}?class=\"([\\w.$]{1,200})\"");
    private static final Pattern ARG = Pattern.compile("<Arg\\s+type=\"int\"\\s*>\\s*(\\d{1,12})\\s*</Arg>");
    private static final Pattern SESSION = Pattern.compile("<session-timeout>\\s*(-?\\d{1,9})\\s*</session-timeout>");
    private static final Pattern COMMENT = Pattern.compile("<!--.{0,20000}?-->", Pattern.DOTALL);

    private XmlFragments() {}

    /** Tomcat's elements. */
    static void tomcat(Source in) {
        String text = blanked(in.text());
        Matcher tag = TAG.matcher(text);
        int n = 0;
        while (tag.find()) {
            String element = tag.group(1);
            String scope = element + " " + ++n;
            Matcher a = ATTRIBUTE.matcher(tag.group(2));
            var all = new java.util.ArrayList<String[]>();
            String name = "";
            while (a.find()) {
                String value = a.group(2) != null ? a.group(2) : a.group(3);
                all.add(new String[] {
                    a.group(1), value, String.valueOf(tag.start(2) + a.start()), String.valueOf(tag.start(2) + a.end())
                });
                if (a.group(1).equals("className")) {
                    name = value.substring(value.lastIndexOf('.') + 1);
                }
            }
            String owner = name.isEmpty() || element.equals("Executor") ? element : element + "[" + name + "]";
            if (element.equals("Executor") || element.equals("Connector")) {
                in.add(SettingKind.TOMCAT, element, "", in.line(tag.start(), tag.start(), -1), scope);
            }
            for (String[] x : all) {
                int start = Integer.parseInt(x[2]);
                in.add(
                        SettingKind.TOMCAT,
                        owner + "." + x[0],
                        x[1],
                        in.line(start, Integer.parseInt(x[3]), in.start(in.lineOf(tag.start()))),
                        scope);
            }
        }
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

    /** Jetty's. */
    static void jetty(Source in) {
        String text = blanked(in.text());
        Matcher set = SET.matcher(text);
        while (set.find()) {
            String value = set.group(2) != null ? set.group(2) : set.group(3) != null ? set.group(3) : set.group(4);
            in.add(
                    SettingKind.JETTY,
                    set.group(1),
                    value == null ? "" : value.strip(),
                    in.place(set.start(), set.end()),
                    "xml");
        }
        set = SET_PROPERTY.matcher(text);
        while (set.find()) {
            in.add(SettingKind.JETTY, set.group(1), "", in.place(set.start(), set.end()), "xml");
        }
        Matcher created = NEW.matcher(text);
        while (created.find()) {
            String name = created.group(1).substring(created.group(1).lastIndexOf('.') + 1);
            in.add(SettingKind.JETTY, "New " + name, "", in.place(created.start(), created.end()), "xml");
        }
        Matcher arg = ARG.matcher(text);
        while (arg.find()) {
            in.add(SettingKind.JETTY, "Arg", arg.group(1), in.place(arg.start(), arg.end()), "xml");
        }
    }

    /** With blanks in place of comments, so that offsets stay. */
    private static String blanked(String text) {
        if (!text.contains("<!--")) {
            return text;
        }
        var out = new StringBuilder(text);
        Matcher m = COMMENT.matcher(text);
        while (m.find()) {
            for (int i = m.start(); i < m.end(); i++) {
                if (out.charAt(i) != '\n') {
                    out.setCharAt(i, ' ');
                }
            }
        }
        return out.toString();
    }
}
