package dev.leakline.web.build;

import org.teavm.classlib.ResourceSupplier;
import org.teavm.classlib.ResourceSupplierContext;

/** Names the resources that go into the module: what {@link BuildWeb} found. */
public final class Resources implements ResourceSupplier {
    @Override
    public String[] supplyResources(ResourceSupplierContext context) {
        return context.getProperties().getProperty(BuildWeb.RESOURCES).split(" ", -1);
    }
}
