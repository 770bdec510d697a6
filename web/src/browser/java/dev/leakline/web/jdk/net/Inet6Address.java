package dev.leakline.web.jdk.net;

/** {@code java.net.Inet6Address}, of which there are none. */
public class Inet6Address extends InetAddress {}
