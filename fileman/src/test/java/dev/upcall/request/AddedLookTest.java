package dev.upcall.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A look is added to the sources as {@code docs/hacking.md} says, compiled, and asked at every
 * face. A step that the page does not name, and the compiler does not ask for, fails here.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AddedLookTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/upcall");
  private static final String ANSWER = "answer: ";
  private static final String FIRST = "request/Look.java";
  private static final Pattern EDIT =
      Pattern.compile(
          "=== (\\S+)\n--- (before|replace)\n(.*?)\n--- (?:add|with)\n(.*?)(?=\n=== |\\z)",
          Pattern.DOTALL);

  @TempDir Path folder;

  /** An edit of a file: a text of it, and what comes in its place. */
  private record Edit(String file, String before, String after) {}

  @Test
  void theCompilerAsksForWhatTheFacesDoNotHave() throws IOException {
    // The record alone: what switches over looks is asked for.
    List<Edit> record = edits().subList(0, 1);
    assertEquals(
        Set.of(FIRST, "fileman/plan/Looks.java", "fileman/machine/StoreReads.java"),
        filesWithErrors(record));
  }

  @Test
  void thePageNamesTheFilesThatChange() throws IOException {
    String page = Files.readString(Path.of("../docs/hacking.md"));
    String steps =
        page.substring(
            page.indexOf("### Add a look"),
            page.indexOf("Files touched", page.indexOf("### Add a look")));
    Set<String> named =
        Pattern.compile("`(\\w+)(?:\\.\\w+)?`")
            .matcher(steps)
            .results()
            .map(name -> name.group(1))
            .filter(name -> Character.isUpperCase(name.charAt(0)) && !name.endsWith("Test"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        files(edits()).stream()
            .map(file -> file.substring(file.lastIndexOf('/') + 1).replace(".java", ""))
            .collect(Collectors.toCollection(TreeSet::new)),
        named);
    assertTrue(files(edits()).size() <= 8, "a look has become more expensive");
  }

  @Test
  void anAddedLookIsAskedAtEveryFace() throws IOException, InterruptedException {
    assertEquals(Set.of(), filesWithErrors(edits()));
    Path program = folder.resolve("AddedLookProgram.java");
    Files.writeString(program, resource("AddedLookProgram.txt"));
    assertEquals(List.of(), compile(List.of(program)));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classes() + ":" + classPath(),
            "AddedLookProgram",
            folder.resolve("volume.upcall").toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertEquals(
        List.of(
            "waiting",
            "waiting, again",
            "waiting transaction",
            "waiting snapshot",
            "stages",
            "stages transaction",
            "stages snapshot",
            "ports",
            "ports transaction",
            "ports snapshot",
            "store's thread"),
        said.lines()
            .filter(line -> line.startsWith(ANSWER))
            .map(line -> line.substring(ANSWER.length()))
            .toList(),
        said);
  }

  private static List<Edit> edits() throws IOException {
    List<Edit> edits = new ArrayList<>();
    Matcher each = EDIT.matcher(resource("added-look.txt"));
    while (each.find()) {
      String before = each.group(3);
      String added = each.group(4);
      edits.add(
          each.group(2).equals("before")
              ? new Edit(each.group(1), before, added + "\n" + before)
              : new Edit(each.group(1), before, added));
    }
    return edits;
  }

  private static Set<String> files(List<Edit> edits) {
    return edits.stream().map(Edit::file).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Makes edits, compiles them with all that names looks, and says where errors are. */
  private Set<String> filesWithErrors(List<Edit> edits) throws IOException {
    Path edited = Files.createDirectories(folder.resolve("edited"));
    List<Path> sources = new ArrayList<>();
    for (Path source : sources()) {
      String file = SOURCES.relativize(source).toString();
      String text = Files.readString(source);
      String changed = text;
      for (Edit edit : edits) {
        if (edit.file().equals(file)) {
          assertTrue(changed.contains(edit.before()), () -> file + " lacks " + edit.before());
          changed = changed.replace(edit.before(), edit.after());
        }
      }
      if (!changed.equals(text) || text.contains("Look")) {
        Path target = edited.resolve(file);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.writeString(target, changed);
        sources.add(target);
      }
    }
    return compile(sources).stream()
        .map(error -> edited.relativize(Path.of(error.getSource().getName())).toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> all = Files.walk(SOURCES)) {
      return all.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private Path classes() throws IOException {
    return Files.createDirectories(folder.resolve("classes"));
  }

  private List<Diagnostic<? extends JavaFileObject>> compile(List<Path> sources)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> heard = new DiagnosticCollector<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(heard, null, UTF_8)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-nowarn",
              "--should-stop=ifError=FLOW", // says all that is missing, not the first of it
              "-d",
              classes().toString(),
              "-cp",
              classes() + ":" + classPath());
      compiler
          .getTask(
              new StringWriter(),
              manager,
              heard,
              options,
              null,
              manager.getJavaFileObjectsFromPaths(sources))
          .call();
    }
    return heard.getDiagnostics().stream()
        .filter(said -> said.getKind() == Diagnostic.Kind.ERROR)
        .toList();
  }

  private static String resource(String name) throws IOException {
    try (InputStream text =
        Objects.requireNonNull(AddedLookTest.class.getResourceAsStream(name), name)) {
      return new String(text.readAllBytes(), UTF_8);
    }
  }

  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire == null ? System.getProperty("java.class.path") : surefire;
  }
}
