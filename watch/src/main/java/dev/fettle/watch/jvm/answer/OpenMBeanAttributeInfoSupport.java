package dev.fettle.watch.jvm.answer;

import java.io.Serial;
import javax.management.MBeanAttributeInfo;

/** Read from what one of {@link javax.management.openmbean} has written, without its bounds and legal values, of which that makes sets. */
final class OpenMBeanAttributeInfoSupport extends MBeanAttributeInfo {
    @Serial
    private static final long serialVersionUID = -4867215622149721849L;

    private OpenMBeanAttributeInfoSupport() {
        super("", "", "", false, false, false);
    }
}
