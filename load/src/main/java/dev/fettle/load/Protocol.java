package dev.fettle.load;

/** What is spoken over a connection. */
public enum Protocol {
    HTTP_1_1,
    /** Over TLS by ALPN, without TLS by prior knowledge (h2c); RFC 9113, 3.2 and 3.3. */
    HTTP_2
}
