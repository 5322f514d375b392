package dev.fettle.watch.jvm.answer;

import java.io.Serial;
import javax.management.MBeanOperationInfo;

/** Read from what one of {@link javax.management.openmbean} has written, without its bounds and legal values, of which that makes sets. */
final class OpenMBeanOperationInfoSupport extends MBeanOperationInfo {
    @Serial
    private static final long serialVersionUID = 4996859732565369366L;

    private OpenMBeanOperationInfoSupport() {
        super("", "", null, "", UNKNOWN);
    }
}
