package dev.fettle.lab.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who is let in. */
public sealed interface Access {
    /** Programs that send {@code Authorization: Bearer TOKEN}; they only look. */
    record Bearer(String token) implements Access {}

    /**
     * Browsers that were opened with a link. Its token is exchanged for a cookie, and leaves the address bar. Cookies know no ports: all
     * servers of this machine would be sent it, so it is for a path that only this one has.
     *
     * @param look the token of the link for looking
     * @param act the token of the link for acting, too
     * @param lookCookie what who looks has instead
     * @param actCookie what who acts has instead
     * @param secret what an act has to bring as a header as well
     * @param place the path of the cookie
     */
    record Link(String look, String act, String lookCookie, String actCookie, String secret, String place)
            implements Access {
        private static final SecureRandom RANDOM = new SecureRandom();

        /** New tokens, of 128 bits each. */
        public static Link random() {
            return new Link(token(), token(), token(), token(), token(), "/" + token().substring(0, 16) + "/");
        }

        private static String token() {
            byte[] bytes = new byte[16];
            RANDOM.nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        }

        /** The cookie for a token of a link. */
        Optional<String> exchanged(String token) {
            boolean looks = same(token, look);
            boolean acts = same(token, act);
            return acts ? Optional.of(actCookie) : looks ? Optional.of(lookCookie) : Optional.empty();
        }
    }

    /** Takes as long whatever is sent. */
    static boolean same(@Nullable String sent, String token) {
        return sent != null
                && MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
