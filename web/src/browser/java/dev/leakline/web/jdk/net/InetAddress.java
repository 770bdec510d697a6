package dev.leakline.web.jdk.net;

/** {@code java.net.InetAddress}, of which there are none. */
public class InetAddress {}
