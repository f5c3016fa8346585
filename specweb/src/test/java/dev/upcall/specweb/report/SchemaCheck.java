package dev.upcall.specweb.report;

import dev.upcall.specweb.document.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** As much of JSON Schema as the report's schema uses; it refuses words that it does not know. */
final class SchemaCheck {
  private static final List<String> KNOWN =
      List.of(
          "$schema",
          "title",
          "type",
          "properties",
          "required",
          "additionalProperties",
          "items",
          "enum",
          "minimum",
          "maximum");

  private final List<String> problems = new ArrayList<>();

  private SchemaCheck() {}

  /** The schema beside the class that writes reports. */
  static JsonTree schema() throws IOException {
    try (InputStream in = ReportJson.class.getResourceAsStream("report.schema.json")) {
      return JsonTree.parse(
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** What is wrong with a document; empty when it fits. */
  static List<String> problems(JsonTree schema, JsonTree document) {
    SchemaCheck check = new SchemaCheck();
    check.check(schema, document, "$");
    return check.problems;
  }

  private void check(JsonTree schema, JsonTree document, String path) {
    ((Map<?, ?>) schema.value())
        .keySet().stream()
            .filter(word -> !KNOWN.contains(word))
            .forEach(word -> problems.add("the schema says " + word));
    if (!hasType(schema.get("type").text(), document.value())) {
      problems.add(path + " is no " + schema.get("type").text());
      return;
    }
    List<JsonTree> allowed = schema.get("enum").elements();
    if (!allowed.isEmpty() && !allowed.contains(document)) {
      problems.add(path + " is " + document.text());
    }
    if (document.number() < schema.get("minimum").number()
        || document.number() > schema.get("maximum").number()) {
      problems.add(path + " is out of bounds: " + document.text());
    }
    for (JsonTree name : schema.get("required").elements()) {
      if (!document.get(name.text()).isThere()) {
        problems.add(path + " lacks " + name.text());
      }
    }
    document.fields().forEach((name, field) -> property(schema, name, field, path + "." + name));
    for (JsonTree element : document.elements()) {
      check(schema.get("items"), element, path + "[]");
    }
  }

  private void property(JsonTree schema, String name, JsonTree field, String path) {
    JsonTree own = schema.get("properties").get(name);
    JsonTree others = schema.get("additionalProperties");
    if (own.isThere()) {
      check(own, field, path);
    } else if (others.value() instanceof Map<?, ?>) {
      check(others, field, path);
    } else {
      problems.add(path + " is not in the schema");
    }
  }

  private static boolean hasType(String type, Object value) {
    return switch (type) {
      case "object" -> value instanceof Map<?, ?>;
      case "array" -> value instanceof List<?>;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "number" -> value instanceof Number;
      case "integer" -> value instanceof Long;
      default -> throw new IllegalArgumentException("the schema has type " + type);
    };
  }
}
