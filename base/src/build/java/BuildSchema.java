import com.sun.source.util.JavacTask;
import dev.leakline.codec.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Derives from the records of a package what their JSON looks like: {@code java -cp CLASSPATH BuildSchema.java SOURCES SCHEMAS TYPES}.
 *
 * <p>SOURCES is the folder of the records' sources, whose Javadoc becomes the descriptions. Each record that has a constant {@code SCHEMA}, such as
 * {@code leakline.report/1}, gets a JSON Schema of its own in the folder SCHEMAS, {@code report-1.schema.json}, and a line of
 * {@code index.txt} there. TYPES is a file of TypeScript with an
 * interface for each record that any of them holds.
 *
 * <p>What is written is complete, so all properties are required. Later versions add properties, so others are allowed.
 */
final class BuildSchema {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
    private static final Pattern TAG = Pattern.compile("(?m)^ ?@(\\w+) +");
    private static final Pattern INLINE = Pattern.compile("\\{@\\w+ +#?([^}]*)}");

    private final Elements elements;
    /** The names of records in the schema: their own, with that of the record around them where two have the same. */
    private final Map<TypeElement, String> names = new LinkedHashMap<>();

    private BuildSchema(Elements elements) {
        this.elements = elements;
    }

    public static void main(String[] arguments) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> listed = Files.list(Path.of(arguments[0]))) {
            List<Path> sources = listed.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
            List<String> options = List.of("-proc:none", "--class-path", System.getProperty("java.class.path"));
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources));
            List<TypeElement> types = new ArrayList<>();
            task.analyze().forEach(element -> types.addAll(ElementFilter.typesIn(List.of(element))));
            new BuildSchema(task.getElements()).write(types, Path.of(arguments[1]), Path.of(arguments[2]));
        }
    }

    private void write(List<TypeElement> types, Path schemas, Path script) throws IOException {
        Files.createDirectories(schemas);
        Files.createDirectories(script.getParent());
        List<TypeElement> documents = types.stream()
                .filter(type -> type.getKind() == ElementKind.RECORD && schema(type) != null)
                .toList();
        List<TypeElement> all = reachable(documents);
        name(all);
        List<String> listed = new ArrayList<>();
        for (TypeElement document : documents) {
            String name = Objects.requireNonNull(schema(document))
                    .replaceFirst(".*\\.", "")
                    .replace('/', '-');
            listed.add(name);
            Path file = schemas.resolve(name + ".schema.json");
            try (JsonGenerator json =
                    new JsonFactory().createGenerator(ObjectWriteContext.empty(), Files.newBufferedWriter(file))) {
                writeDocument(document, json);
            }
        }
        Files.write(schemas.resolve("index.txt"), listed.stream().sorted().toList());
        Files.writeString(script, script(all));
    }

    private static String schema(TypeElement type) {
        return ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
                .filter(field -> field.getSimpleName().contentEquals("SCHEMA"))
                .map(field -> String.valueOf(field.getConstantValue()))
                .findFirst()
                .orElse(null);
    }

    /** The records that these hold, themselves included, in the order in which they are come to. */
    private List<TypeElement> reachable(List<TypeElement> from) {
        List<TypeElement> found = new ArrayList<>();
        Deque<TypeElement> open = new ArrayDeque<>(from);
        while (!open.isEmpty()) {
            TypeElement next = open.poll();
            if (!found.contains(next)) {
                found.add(next);
                properties(next).forEach(property -> records(property.type, open));
            }
        }
        return found;
    }

    private static void records(TypeMirror type, Deque<TypeElement> open) {
        if (type instanceof DeclaredType declared) {
            declared.getTypeArguments().forEach(argument -> records(argument, open));
            if (declared.asElement() instanceof TypeElement element && element.getKind() == ElementKind.RECORD) {
                open.add(element);
            }
        }
    }

    private void name(List<TypeElement> all) {
        Map<String, List<TypeElement>> byName = all.stream()
                .collect(Collectors.groupingBy(type -> type.getSimpleName().toString()));
        all.forEach(type -> {
            String own = type.getSimpleName().toString();
            boolean isNested = type.getEnclosingElement() instanceof TypeElement;
            names.put(
                    type,
                    byName.get(own).size() > 1 && isNested
                            ? type.getEnclosingElement().getSimpleName() + own
                            : own);
        });
        if (new TreeSet<>(names.values()).size() < names.size()) {
            throw new IllegalStateException("two records would have one name: " + names);
        }
    }

    /** A property of a record in JSON. */
    private record Property(String name, TypeMirror type, boolean isUnknown, String text) {}

    /** A record's components, then what it concludes from them and writes as well. */
    private List<Property> properties(TypeElement type) {
        Map<String, String> texts = texts(type);
        List<Property> found = new ArrayList<>();
        for (RecordComponentElement component : type.getRecordComponents()) {
            String name = component.getSimpleName().toString();
            List<Element> places = List.of(component, component.getAccessor(), field(type, name));
            String renamed = annotation(places, "Property");
            String inJson = renamed == null ? Names.inJson(name) : renamed;
            found.add(new Property(
                    inJson,
                    component.asType(),
                    annotation(places, "Serializer") != null,
                    texts.getOrDefault(name, "")));
        }
        ElementFilter.methodsIn(type.getEnclosedElements()).stream()
                .filter(method -> type.getRecordComponents().stream()
                        .noneMatch(component -> component.getAccessor().equals(method)))
                .filter(method -> annotation(List.of(method), "Property") != null)
                .forEach(method -> found.add(new Property(
                        annotation(List.of(method), "Property"),
                        method.getReturnType(),
                        false,
                        texts(method).getOrDefault("", ""))));
        return found;
    }

    private static Element field(TypeElement type, String name) {
        return ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
                .filter(field -> field.getSimpleName().contentEquals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The value of an annotation {@code Json.NAME} at any of these places, null where none has it. */
    private static String annotation(List<Element> places, String name) {
        for (Element place : places) {
            for (AnnotationMirror mirror : place.getAnnotationMirrors()) {
                if (mirror.getAnnotationType().toString().endsWith("Json." + name)) {
                    return mirror.getElementValues().values().stream()
                            .findFirst()
                            .map(AnnotationValue::getValue)
                            .map(Object::toString)
                            .orElse("");
                }
            }
        }
        return null;
    }

    /** The words of the Javadoc: of the element under an empty name, of its components under theirs. */
    private Map<String, String> texts(Element element) {
        Map<String, String> texts = new TreeMap<>();
        String comment = elements.getDocComment(element);
        if (comment == null) {
            return texts;
        }
        Matcher tag = TAG.matcher(comment);
        int end = tag.find() ? tag.start() : comment.length();
        texts.put("", plain(comment.substring(0, end)));
        while (end < comment.length()) {
            int begin = tag.end();
            String kind = tag.group(1);
            end = tag.find() ? tag.start() : comment.length();
            String[] words = comment.substring(begin, end).strip().split("\\s+", 2);
            if (kind.equals("param") && words.length == 2) {
                texts.put(words[0], plain(words[1]));
            }
        }
        return texts;
    }

    private static String plain(String javadoc) {
        return INLINE.matcher(javadoc)
                .replaceAll("$1")
                .replaceAll("<[^>]*>", "")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private void writeDocument(TypeElement document, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("$schema", DIALECT);
        json.writeStringProperty(
                "$id", "urn:" + Objects.requireNonNull(schema(document)).replaceAll("[./]", ":"));
        json.writeStringProperty("title", Objects.requireNonNull(schema(document)));
        json.writeStringProperty("$ref", "#/$defs/" + names.get(document));
        json.writeObjectPropertyStart("$defs");
        for (TypeElement type : reachable(List.of(document))) {
            json.writeObjectPropertyStart(names.get(type));
            writeRecord(type, document, json);
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeRecord(TypeElement type, TypeElement document, JsonGenerator json) {
        List<Property> properties = properties(type);
        describe(texts(type).getOrDefault("", ""), "", json);
        json.writeStringProperty("type", "object");
        json.writeArrayPropertyStart("required");
        properties.forEach(property -> json.writeString(property.name));
        json.writeEndArray();
        json.writeObjectPropertyStart("properties");
        for (Property property : properties) {
            json.writeObjectPropertyStart(property.name);
            describe(property.text, meanings(property.type), json);
            if (type.equals(document) && property.name.equals("schema")) {
                json.writeStringProperty("const", schema(document));
            } else {
                writeType(property.type, property.isUnknown, json);
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void describe(String text, String meanings, JsonGenerator json) {
        String all = Stream.of(text, meanings).filter(part -> !part.isEmpty()).collect(Collectors.joining(". "));
        if (!all.isEmpty()) {
            json.writeStringProperty("description", all);
        }
    }

    /** The properties of a schema of values of this type. */
    private void writeType(TypeMirror type, boolean isUnknown, JsonGenerator json) {
        boolean mayBeNull = isUnknown || isNullable(type);
        switch (type.getKind()) {
            case BOOLEAN -> types("boolean", mayBeNull, json);
            case INT, LONG -> types("integer", mayBeNull, json);
            case DOUBLE -> types("number", true, json);
            case DECLARED -> writeDeclared((DeclaredType) type, mayBeNull, json);
            default -> throw new IllegalStateException("no schema for " + type);
        }
    }

    private void writeDeclared(DeclaredType type, boolean mayBeNull, JsonGenerator json) {
        TypeElement element = (TypeElement) type.asElement();
        switch (element.getQualifiedName().toString()) {
            case "java.lang.String" -> types("string", mayBeNull, json);
            case "java.lang.Integer", "java.lang.Long" -> types("integer", mayBeNull, json);
            case "java.lang.Boolean" -> types("boolean", mayBeNull, json);
            case "java.lang.Double" -> types("number", mayBeNull, json);
            case "java.lang.Object" -> {
                // whatever there was
            }
            case "java.util.List" -> {
                types("array", mayBeNull, json);
                json.writeObjectPropertyStart("items");
                writeType(type.getTypeArguments().getFirst(), false, json);
                json.writeEndObject();
            }
            case "java.util.Map" -> {
                types("object", mayBeNull, json);
                json.writeObjectPropertyStart("additionalProperties");
                writeType(type.getTypeArguments().get(1), false, json);
                json.writeEndObject();
            }
            default -> writeOwn(element, mayBeNull, json);
        }
    }

    private void writeOwn(TypeElement element, boolean mayBeNull, JsonGenerator json) {
        if (element.getKind() == ElementKind.ENUM) {
            json.writeArrayPropertyStart("enum");
            constants(element).forEach(json::writeString);
            if (mayBeNull) {
                json.writeNull();
            }
            json.writeEndArray();
        } else if (mayBeNull) {
            json.writeArrayPropertyStart("anyOf");
            json.writeStartObject();
            json.writeStringProperty("$ref", "#/$defs/" + names.get(element));
            json.writeEndObject();
            json.writeStartObject();
            json.writeStringProperty("type", "null");
            json.writeEndObject();
            json.writeEndArray();
        } else {
            json.writeStringProperty("$ref", "#/$defs/" + names.get(element));
        }
    }

    private static List<String> constants(TypeElement type) {
        return ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
                .filter(field -> field.getKind() == ElementKind.ENUM_CONSTANT)
                .map(field -> field.getSimpleName().toString().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The meaning of each constant of an enum; empty for other types. */
    private String meanings(TypeMirror type) {
        if (!(type instanceof DeclaredType declared)) {
            return "";
        }
        return ElementFilter.fieldsIn(declared.asElement().getEnclosedElements()).stream()
                .filter(field -> field.getKind() == ElementKind.ENUM_CONSTANT && elements.getDocComment(field) != null)
                .map(this::meaning)
                .collect(Collectors.joining("; "));
    }

    private String meaning(VariableElement constant) {
        String text = texts(constant).getOrDefault("", "").replaceFirst("\\.$", "");
        return constant.getSimpleName().toString().toLowerCase(Locale.ROOT) + ": " + text;
    }

    private static boolean isNullable(TypeMirror type) {
        return type.getAnnotationMirrors().stream()
                .anyMatch(mirror -> mirror.getAnnotationType().toString().endsWith(".Nullable"));
    }

    private static void types(String name, boolean mayBeNull, JsonGenerator json) {
        if (mayBeNull) {
            json.writeArrayPropertyStart("type");
            json.writeString(name);
            json.writeString("null");
            json.writeEndArray();
        } else {
            json.writeStringProperty("type", name);
        }
    }

    private String script(List<TypeElement> all) {
        StringBuilder script = new StringBuilder(
                "// Built by BuildSchema.java from the records of Java. Do not edit this file: edit the records.\n");
        for (TypeElement type : all) {
            script.append('\n').append(comment("", texts(type).getOrDefault("", "")));
            script.append("export interface ").append(names.get(type)).append(" {\n");
            for (Property property : properties(type)) {
                script.append(comment("    ", property.text));
                String nullable =
                        property.isUnknown || isNullable(property.type) || property.type.getKind() == TypeKind.DOUBLE
                                ? " | null"
                                : "";
                script.append("    ")
                        .append(property.name)
                        .append(": ")
                        .append(script(property.type))
                        .append(nullable)
                        .append(";\n");
            }
            script.append("}\n");
        }
        return script.toString();
    }

    private static String comment(String indent, String text) {
        return text.isEmpty() ? "" : indent + "/** " + text.replace("*/", "") + " */\n";
    }

    private String script(TypeMirror type) {
        return switch (type.getKind()) {
            case BOOLEAN -> "boolean";
            case INT, LONG, DOUBLE -> "number";
            default ->
                script((TypeElement) ((DeclaredType) type).asElement(), ((DeclaredType) type).getTypeArguments());
        };
    }

    private String script(TypeElement element, List<? extends TypeMirror> arguments) {
        return switch (element.getQualifiedName().toString()) {
            case "java.lang.String" -> "string";
            case "java.lang.Integer", "java.lang.Long", "java.lang.Double" -> "number";
            case "java.lang.Boolean" -> "boolean";
            case "java.lang.Object" -> "unknown";
            case "java.util.List" -> "Array<" + script(arguments.getFirst()) + ">";
            case "java.util.Map" -> "Record<string, " + script(arguments.get(1)) + ">";
            default ->
                element.getKind() == ElementKind.ENUM
                        ? constants(element).stream()
                                .map(name -> '"' + name + '"')
                                .collect(Collectors.joining(" | "))
                        : names.get(element);
        };
    }
}
