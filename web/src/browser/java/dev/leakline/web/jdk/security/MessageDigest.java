package dev.leakline.web.jdk.security;

import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** {@code java.security.MessageDigest} for SHA-1 and SHA-256 (FIPS 180-4) of messages in one piece. */
public final class MessageDigest {
    private static final int BLOCK = 64;
    private static final int[] SHA_1 = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    private static final int[] SHA_1_CONSTANTS = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    private static final int[] SHA_256 = new int[8];
    private static final int[] SHA_256_CONSTANTS = new int[64];

    static {
        for (int prime = 2, found = 0; found < SHA_256_CONSTANTS.length; prime++) {
            if (isPrime(prime)) {
                if (found < SHA_256.length) {
                    SHA_256[found] = fraction(Math.sqrt(prime));
                }
                SHA_256_CONSTANTS[found++] = fraction(Math.cbrt(prime));
            }
        }
    }

    private final boolean isSha1;

    private MessageDigest(boolean isSha1) {
        this.isSha1 = isSha1;
    }

    public static MessageDigest getInstance(String algorithm) throws NoSuchAlgorithmException {
        if (!algorithm.equals("SHA-1") && !algorithm.equals("SHA-256")) {
            throw new NoSuchAlgorithmException(algorithm);
        }
        return new MessageDigest(algorithm.equals("SHA-1"));
    }

    private static boolean isPrime(int number) {
        for (int divisor = 2; divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    /** The first 32 bits behind the point. */
    private static int fraction(double number) {
        return (int) (long) ((number - Math.floor(number)) * (1L << Integer.SIZE));
    }

    public byte[] digest(byte[] message) {
        byte[] padded = Arrays.copyOf(message, (message.length + 8) / BLOCK * BLOCK + BLOCK);
        padded[message.length] = (byte) 0x80;
        for (int i = 0; i < Long.BYTES; i++) {
            padded[padded.length - 1 - i] = (byte) ((message.length * 8L) >>> (8 * i));
        }
        int[] state = isSha1 ? SHA_1.clone() : SHA_256.clone();
        int[] words = new int[80];
        for (int at = 0; at < padded.length; at += BLOCK) {
            for (int i = 0; i < 16; i++) {
                int byteAt = at + 4 * i;
                words[i] = (padded[byteAt] << 24)
                        | ((padded[byteAt + 1] & 0xff) << 16)
                        | ((padded[byteAt + 2] & 0xff) << 8)
                        | (padded[byteAt + 3] & 0xff);
            }
            int[] next = isSha1 ? sha1(words, state.clone()) : sha256(words, state.clone());
            for (int i = 0; i < state.length; i++) {
                state[i] += next[i];
            }
        }
        byte[] digest = new byte[state.length * 4];
        for (int i = 0; i < digest.length; i++) {
            digest[i] = (byte) (state[i / 4] >>> (24 - 8 * (i % 4)));
        }
        return digest;
    }

    private static int[] sha1(int[] words, int[] state) {
        for (int i = 16; i < 80; i++) {
            words[i] = Integer.rotateLeft(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        }
        for (int i = 0; i < 80; i++) {
            int mixed = switch (i / 20) {
                case 0 -> (state[1] & state[2]) | (~state[1] & state[3]);
                case 2 -> (state[1] & state[2]) | (state[1] & state[3]) | (state[2] & state[3]);
                default -> state[1] ^ state[2] ^ state[3];
            };
            int first = Integer.rotateLeft(state[0], 5) + mixed + state[4] + SHA_1_CONSTANTS[i / 20] + words[i];
            shift(state, first);
            state[2] = Integer.rotateLeft(state[2], 30);
        }
        return state;
    }

    private static int[] sha256(int[] words, int[] state) {
        for (int i = 16; i < 64; i++) {
            words[i] = words[i - 16]
                    + words[i - 7]
                    + (rotated(words[i - 15], 7, 18) ^ (words[i - 15] >>> 3))
                    + (rotated(words[i - 2], 17, 19) ^ (words[i - 2] >>> 10));
        }
        for (int i = 0; i < 64; i++) {
            int chosen = (state[4] & state[5]) ^ (~state[4] & state[6]);
            int sum = state[7]
                    + (rotated(state[4], 6, 11) ^ Integer.rotateRight(state[4], 25))
                    + chosen
                    + SHA_256_CONSTANTS[i]
                    + words[i];
            int majority = (state[0] & state[1]) ^ (state[0] & state[2]) ^ (state[1] & state[2]);
            int first = sum + (rotated(state[0], 2, 13) ^ Integer.rotateRight(state[0], 22)) + majority;
            shift(state, first);
            state[4] += sum;
        }
        return state;
    }

    private static int rotated(int word, int by, int andBy) {
        return Integer.rotateRight(word, by) ^ Integer.rotateRight(word, andBy);
    }

    private static void shift(int[] state, int first) {
        System.arraycopy(state, 0, state, 1, state.length - 1);
        state[0] = first;
    }
}
