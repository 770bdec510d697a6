import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes what is in the packages, as CycloneDX: the libraries that Maven knows, and Java, which it does not. */
final class Sbom {
    private Sbom() {}

    static void write(Path made, Path release, Path packages, String version) throws IOException {
        if (!Files.exists(made)) {
            System.err.println("no bill of materials: its Maven plugin wants to be online");
            return;
        }
        JsonMapper json = JsonMapper.shared();
        ObjectNode bom = (ObjectNode) json.readTree(Files.readString(made));
        bom.get("components").forEach(Sbom::removeSums);
        removeSums(bom.get("metadata").get("component"));
        Properties java = new Properties();
        java.load(new StringReader(Files.readString(release)));
        String number = java.getProperty("JAVA_RUNTIME_VERSION", java.getProperty("JAVA_VERSION"))
                .replace("\"", "");
        ObjectNode component = ((ArrayNode) bom.get("components")).addObject();
        component.put("type", "platform");
        component.put("bom-ref", "java-runtime");
        component.put("name", "java-runtime");
        component.put("publisher", java.getProperty("IMPLEMENTOR", "unknown").replace("\"", ""));
        component.put("version", number);
        component.put(
                "description", "modules " + java.getProperty("MODULES", "").replace("\"", ""));
        component.putArray("licenses").addObject().put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
        Files.writeString(
                packages.resolve("leakline-" + version + ".cdx.json"),
                json.writerWithDefaultPrettyPrinter().writeValueAsString(bom) + "\n");
    }

    /** Removes the sums of our own jars, which are written anew for the packages. */
    private static void removeSums(JsonNode component) {
        if (component.path("group").asString("").equals("dev.leakline")) {
            ((ObjectNode) component).remove("hashes");
        }
    }
}
