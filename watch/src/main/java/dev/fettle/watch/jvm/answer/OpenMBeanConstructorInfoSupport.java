package dev.fettle.watch.jvm.answer;

import java.io.Serial;
import javax.management.MBeanConstructorInfo;

/** Read from what one of {@link javax.management.openmbean} has written, without its bounds and legal values, of which that makes sets. */
final class OpenMBeanConstructorInfoSupport extends MBeanConstructorInfo {
    @Serial
    private static final long serialVersionUID = -4400441579007477003L;

    private OpenMBeanConstructorInfoSupport() {
        super("", "", null);
    }
}
