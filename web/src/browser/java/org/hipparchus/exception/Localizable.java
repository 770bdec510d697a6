package org.hipparchus.exception;

import java.io.Serializable;
import java.util.Locale;

/** Hipparchus's messages, in English alone. */
public interface Localizable extends Serializable {
    String getSourceString();

    String getLocalizedString(Locale locale);

    default String getLocalizedString(String bundle, String key, Locale locale) {
        return getSourceString();
    }
}
