import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;

/** The list {@code RECORD} of a wheel: its files by their paths, with the SHA-256 and bytes of each but itself. */
final class WheelRecord {
    private WheelRecord() {}

    /** Lists the files that the wheel has besides; {@code own} is the list's path. */
    static byte[] of(Map<String, byte[]> files, String own) throws NoSuchAlgorithmException {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            byte[] content = file.getValue();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            String sum = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
            lines.append("%s,sha256=%s,%d\n".formatted(file.getKey(), sum, content.length));
        }
        return (lines + own + ",,\n").getBytes(StandardCharsets.UTF_8);
    }
}
