package dev.leakline.report.html;

import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Stretch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Writes stretches of pictures as elements of a page, one each: a browser unpacks those that are looked at, and no others. */
final class StretchElements {
    private final List<Picture> pictures;
    private final PageOutput out;
    /** Bytes that the page may have. */
    private final long most;
    /** Bytes of its end, which is written after them. */
    private final int end;

    private final long before;
    private long events;
    private boolean isFull;

    StretchElements(List<Picture> pictures, PageOutput out, long most, int end) {
        this.pictures = pictures;
        this.out = out;
        this.most = most;
        this.end = end;
        this.before = out.count();
    }

    /** Writes as many as there is room for, the first of each picture, then the second of each. */
    PageDetail write() throws IOException {
        int longest =
                pictures.stream().mapToInt(one -> one.stretches().size()).max().orElse(0);
        for (int place = 0; place < longest; place++) {
            for (int picture = 0; picture < pictures.size(); picture++) {
                List<Stretch> stretches = pictures.get(picture).stretches();
                if (place < stretches.size() && !isFull) {
                    write(picture, stretches.get(place));
                }
            }
        }
        return detail();
    }

    private void write(int picture, Stretch stretch) throws IOException {
        byte[] element = element(picture, stretch).getBytes(StandardCharsets.US_ASCII);
        isFull = out.count() + element.length + end > most;
        if (!isFull) {
            out.write(element, 0, element.length);
            events += stretch.to() - stretch.from();
        }
    }

    private static String element(int picture, Stretch stretch) {
        return "<script type=\"application/octet-stream+base64\" class=\"leakline-stretch\" data-picture=\"" + picture
                + "\" data-from=\"" + stretch.from() + "\" data-to=\"" + stretch.to() + "\">"
                + Base64.getEncoder()
                        .encodeToString(PackedBlocks.of(stretch.allocations().get()))
                + "</script>\n";
    }

    private PageDetail detail() {
        long all = pictures.stream().mapToLong(Picture::events).sum();
        long certain = pictures.stream()
                .filter(one -> one.stretches().isEmpty())
                .mapToLong(StretchElements::certain)
                .sum();
        boolean isUnknown = events == 0 && certain < all;
        return new PageDetail(certain + events, all, isUnknown ? 0 : wholeBytes(all - certain));
    }

    /** The size of a page with so many events as the stretches have. */
    private long wholeBytes(long left) {
        double share = Math.max(left, 1) / (double) Math.max(events, 1);
        return before + Math.round((out.count() - before) * share) + end;
    }

    /** Events after which every block is known anyway. */
    private static long certain(Picture picture) {
        int moments = picture.moments().events().size();
        return moments == 0 ? picture.events() : Math.min(moments, picture.events());
    }
}
