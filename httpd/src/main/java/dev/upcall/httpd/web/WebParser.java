package dev.upcall.httpd.web;

import dev.upcall.StorePath;
import dev.upcall.base.LineWords;
import dev.upcall.base.Printable;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads the text of {@link WebRules} once; {@link Refused} for the first fault. */
final class WebParser {
  private static final String NONE = "none";
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");
  private static final Pattern VALUE = Pattern.compile("|[!-~](?:[ \t!-~]{0,4094}[!-~])?");
  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]{0,30}://[a-z0-9.\\[\\]:-]{1,255}");
  private static final Pattern TYPE =
      Pattern.compile("[a-z0-9!#$&^_.+-]{1,64}/(?:\\*|[a-z0-9!#$&^_.+-]{1,64})");
  private static final Set<String> METHODS =
      new TreeSet<>(List.of("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"));

  /** Fields of the server itself, and those that would change where a message ends. */
  private static final Set<String> OF_SERVER =
      new TreeSet<>(
          List.of(
              "accept-patch",
              "accept-ranges",
              "allow",
              "connection",
              "content-digest",
              "content-encoding",
              "content-length",
              "content-range",
              "content-type",
              "date",
              "etag",
              "expires",
              "keep-alive",
              "last-modified",
              "location",
              "repr-digest",
              "retry-after",
              "server",
              "te",
              "trailer",
              "transfer-encoding",
              "upgrade",
              "upload-complete",
              "upload-limit",
              "upload-offset",
              "vary",
              "www-authenticate"));

  private final String source;
  private final Map<String, Lines> lines = new TreeMap<>();
  private int line;

  /** The lines of one path; null for none. */
  private static final class Lines {
    private final Map<String, WebSection.Field> fields = new TreeMap<>();
    private Optional<WebSection.Cors> cors = Optional.empty();
    private String charset = "";
    private List<String> precompressed = List.of();
    private boolean digests;
    private final Set<String> said = new TreeSet<>();
  }

  WebParser(String source) {
    this.source = source;
  }

  WebRules parse(String text) {
    for (String next : text.split("\r?\n", -1)) {
      line++;
      List<String> words = words(next);
      if (!words.isEmpty()) {
        statement(words);
      }
    }
    Map<String, WebSection> sections = new TreeMap<>();
    for (Map.Entry<String, Lines> each : lines.entrySet()) {
      // In the order of their names paths come behind those above them.
      sections.put(each.getKey(), section(above(each.getKey(), sections), each.getValue()));
    }
    return new WebRules(sections);
  }

  private static WebSection above(String path, Map<String, WebSection> sections) {
    return path.length() == 1
        ? WebSection.NOTHING
        : new WebRules(sections).at(path.substring(0, Math.max(1, path.lastIndexOf('/'))));
  }

  private static WebSection section(WebSection above, Lines here) {
    Map<String, WebSection.Field> fields = new TreeMap<>(above.fields());
    fields.putAll(here.fields);
    return new WebSection(
        fields,
        here.said.contains("cors") ? here.cors : above.cors(),
        here.said.contains("charset") ? here.charset : above.charset(),
        here.said.contains("precompressed") ? here.precompressed : above.precompressed(),
        here.said.contains("digests") ? here.digests : above.digests());
  }

  private List<String> words(String text) {
    try {
      return LineWords.of(text);
    } catch (IllegalArgumentException none) {
      throw refused(String.valueOf(none.getMessage()));
    }
  }

  private void statement(List<String> words) {
    String kind = words.getFirst();
    switch (kind) {
      case "field" -> field(words);
      case "cors" -> cors(words);
      case "charset" -> charset(words);
      case "precompressed" -> precompressed(words);
      case "digests" -> digests(words);
      default ->
          throw refused(
              "a line begins with field, cors, charset, precompressed or digests, not with \""
                  + shown(kind)
                  + "\"");
    }
  }

  private void field(List<String> words) {
    if (words.size() != 4) {
      throw refused("field PATH NAME VALUE; a value with blanks stands between double quotes");
    }
    String name = words.get(2);
    String value = words.get(3);
    String key = name.toLowerCase(Locale.ROOT);
    if (!TOKEN.matcher(name).matches()) {
      throw refused("\"" + shown(name) + "\" is no name of a field");
    }
    if (OF_SERVER.contains(key) || key.startsWith("access-control-")) {
      throw refused(name + " is for the server to say");
    }
    if (!VALUE.matcher(value).matches()) {
      throw refused("a value has up to 4,096 visible ASCII characters, with blanks between them");
    }
    at(words.get(1), "field " + key).fields.put(key, new WebSection.Field(name, value));
  }

  private void cors(List<String> words) {
    if (isNone(words)) {
      at(words.get(1), "cors");
      return;
    }
    if (words.size() < 4) {
      throw refused("cors PATH METHOD[,METHOD...] ORIGIN...");
    }
    List<String> methods = List.of(words.get(2).split(",", -1));
    for (String method : methods) {
      if (!METHODS.contains(method)) {
        throw refused(
            "the methods are %s, not \"%s\"".formatted(String.join(", ", METHODS), shown(method)));
      }
    }
    List<String> origins = words.subList(3, words.size());
    boolean all = origins.equals(List.of("*"));
    for (String origin : all ? List.<String>of() : origins) {
      if (!ORIGIN.matcher(origin).matches()) {
        throw refused(
            "an origin is such as https://example.org or http://localhost:8000, in small letters"
                + " and without a path, or * alone; not \""
                + shown(origin)
                + "\"");
      }
    }
    at(words.get(1), "cors").cors =
        Optional.of(new WebSection.Cors(methods, all ? List.of() : List.copyOf(origins)));
  }

  private void charset(List<String> words) {
    if (words.size() != 3) {
      throw refused("charset PATH NAME");
    }
    String name = words.get(2);
    if (!TOKEN.matcher(name).matches()) {
      throw refused("\"" + shown(name) + "\" is no name of a charset");
    }
    at(words.get(1), "charset").charset = name.equals(NONE) ? "" : name;
  }

  private void precompressed(List<String> words) {
    if (words.size() < 3) {
      throw refused("precompressed PATH TYPE...");
    }
    List<String> types = new ArrayList<>();
    for (String type : isNone(words) ? List.<String>of() : words.subList(2, words.size())) {
      String key = type.toLowerCase(Locale.ROOT);
      if (!TYPE.matcher(key).matches()) {
        throw refused("a media type is such as text/html or text/*, not \"" + shown(type) + "\"");
      }
      types.add(key);
    }
    at(words.get(1), "precompressed").precompressed = List.copyOf(types);
  }

  private void digests(List<String> words) {
    if (!isNone(words) && !(words.size() == 3 && words.get(2).equals("sha-256"))) {
      throw refused("digests PATH sha-256");
    }
    at(words.get(1), "digests").digests = !isNone(words);
  }

  private static boolean isNone(List<String> words) {
    return words.size() == 3 && words.get(2).equals(NONE);
  }

  /** The lines of a path, where this kind was not said yet. */
  private Lines at(String path, String kind) {
    Lines here =
        switch (StorePath.parse(path)) {
          case Completion.Failed<StorePath>(Failure failure) -> throw refused(failure.message());
          case Completion.Done<StorePath>(StorePath read) ->
              lines.computeIfAbsent(read.toString(), _ -> new Lines());
        };
    if (!here.said.add(kind)) {
      throw refused(kind + " of this path is said already");
    }
    return here;
  }

  private static String shown(String word) {
    String printable = Printable.of(word);
    return printable.length() > 60 ? printable.substring(0, 60) + "..." : printable;
  }

  private Refused refused(String reason) {
    return new Refused(new Failure.Invalid(source + ":" + line + ": " + reason));
  }
}
