package dev.leakline.web.jdk.lang.reflect;

import java.lang.reflect.AnnotatedElement;

/** {@code java.lang.reflect.AnnotatedType}, of which there are none. */
public interface AnnotatedType extends AnnotatedElement {}
