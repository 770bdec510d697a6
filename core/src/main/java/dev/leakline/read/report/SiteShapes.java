package dev.leakline.read.report;

import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.source.JsonObject;
import dev.leakline.source.ReadException;

/** How frames and sites are read. */
final class SiteShapes {
    static final Shape<Frame> FRAME = new Shape<>(SiteShapes::frame);
    static final Shape<Site> SITE = new Shape<>(SiteShapes::site);

    private SiteShapes() {}

    private static Frame frame(JsonObject json) throws ReadException {
        return new Frame(json.text("file"), json.count("line"), json.text("function"));
    }

    /** The site whose properties stand among those of an object. */
    static Site site(JsonObject json) throws ReadException {
        return new Site(json.constant("kind", Site.Kind.class), frame(json));
    }
}
