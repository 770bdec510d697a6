package dev.leakline.web.jdk.net;

/** {@code java.net.Inet4Address}, of which there are none. */
public class Inet4Address extends InetAddress {}
