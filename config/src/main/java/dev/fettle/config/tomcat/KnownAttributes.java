package dev.fettle.config.tomcat;

import dev.fettle.model.text.NearestName;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The attributes that Tomcat 9.0, 10.1 and 11 know for an HTTP Connector and for an Executor; Tomcat ignores all
 * others.
 */
final class KnownAttributes {
    private static final Set<String> CONNECTOR = words("""
            acceptCount acceptorThreadPriority address allowBackslash allowHostHeaderMismatch allowTrace
            allowedTrailerHeaders asyncTimeout bindOnInit clientCertProvider compressibleMimeType compression
            compressionMinSize connectionLinger connectionTimeout connectionUploadTimeout continueResponseTiming
            defaultSSLHostConfigName disableUploadTimeout discardFacades enableLookups
            encodedReverseSolidusHandling encodedSolidusHandling enforceEncodingInGetWriter executor
            executorTerminationTimeoutMillis keepAliveTimeout maxConnections maxCookieCount
            maxExtensionSize maxHeaderCount maxHttpHeaderSize maxHttpRequestHeaderSize maxHttpResponseHeaderSize
            maxKeepAliveRequests maxParameterCount maxPartCount maxPartHeaderSize maxPostSize maxQueueSize
            maxSavePostSize maxSwallowSize maxThreads maxTrailerSize minSpareThreads noCompressionEncodings
            noCompressionUserAgents parseBodyMethods pollerThreadPriority port portOffset processorCache protocol
            proxyName proxyPort redirectPort rejectIllegalHeader rejectSuspiciousURIs relaxedPathChars
            relaxedQueryChars restrictedUserAgents scheme secure selectorTimeout server serverRemoveAppProvidedValues
            sniParseLimit SSLEnabled sslImplementationName strictSni tcpNoDelay threadPriority threadsMaxIdleTime throwOnFailure
            unixDomainSocketParentOwner unixDomainSocketParentPermissions unixDomainSocketPath unixDomainSocketPathPermissions URIEncoding useAsyncIO useBodyEncodingForURI
            useInheritedChannel useIPVHosts useKeepAliveResponseHeader useSendfile useVirtualThreads xpoweredBy
            """);

    private static final Set<String> EXECUTOR = words("""
            className daemon maxIdleTime maxQueueSize maxThreads minSpareThreads name namePrefix
            threadPriority threadRenewalDelay
            """);

    private KnownAttributes() {}

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    static boolean ofConnector(String attribute) {
        return CONNECTOR.contains(attribute) || attribute.startsWith("socket.") || attribute.startsWith("xml");
    }

    static boolean ofExecutor(String attribute) {
        return EXECUTOR.contains(attribute);
    }

    /** The attribute that was probably meant. */
    static Optional<String> nearest(String attribute, boolean connector) {
        return NearestName.nearest(attribute, new TreeSet<>(connector ? CONNECTOR : EXECUTOR));
    }
}
