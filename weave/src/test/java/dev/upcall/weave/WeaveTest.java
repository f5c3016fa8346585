package dev.upcall.weave;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Classes that were woven do what they did: {@code Sample} has one of each kind of lambda, method
 * reference and switch, and says what they answer.
 */
class WeaveTest {
  @TempDir Path folder;

  @BeforeEach
  void compile() throws IOException {
    compile(sample());
  }

  @Test
  void doesWhatItDid() throws Exception {
    String before = said();
    assertTrue(before.lines().count() > 40, before);
    Weave.main(new String[] {folder.toString()});
    assertEquals(before, said());
  }

  @Test
  void leavesNoneThatJavaWouldMake() throws IOException {
    assertTrue(dynamicCalls("metafactory") > 30);
    assertEquals(4, dynamicCalls("typeSwitch"));
    long serial = dynamicCalls("altMetafactory");
    Weave.main(new String[] {folder.toString()});
    assertEquals(0, dynamicCalls("metafactory"));
    // That with a label that is no type stays Java's, as does what has a serial form.
    assertEquals(1, dynamicCalls("typeSwitch"));
    assertEquals(serial, dynamicCalls("altMetafactory"));
    assertEquals(2, serial); // where it is made, and where it is read back
  }

  @Test
  void changesNothingMoreTheSecondTime() throws IOException {
    Weave.main(new String[] {folder.toString()});
    Map<String, List<Byte>> once = files();
    Weave.main(new String[] {folder.toString()});
    assertEquals(once, files());
  }

  @Test
  void givesTheSameBytesAgain() throws IOException {
    Weave.main(new String[] {folder.toString()});
    Map<String, List<Byte>> once = files();
    compile(sample());
    Weave.main(new String[] {folder.toString()});
    assertEquals(once, files());
  }

  @Test
  void removesWhatWasMadeOfCodeThatIsGone() throws IOException {
    Weave.main(new String[] {folder.toString()});
    assertTrue(files().keySet().stream().anyMatch(name -> name.contains(Weave.MARK)));
    compile("package sample; public class Sample { public static String run() { return \"\"; } }");
    Weave.main(new String[] {folder.toString()});
    assertEquals(
        List.of(), files().keySet().stream().filter(name -> name.startsWith("Sample$$")).toList());
  }

  @Test
  void castsAsJavaDoes() throws Exception {
    String unsafe =
        """
        package sample;
        public class Sample {
          @SuppressWarnings("unchecked")
          public static String run() {
            java.util.function.Function<String, Integer> length = String::length;
            return "" + ((java.util.function.Function<Object, Object>) (Object) length).apply(1);
          }
        }
        """;
    compile(unsafe);
    Weave.main(new String[] {folder.toString()});
    InvocationTargetException thrown = assertThrows(InvocationTargetException.class, this::said);
    assertEquals(ClassCastException.class, thrown.getCause().getClass());
  }

  private static String sample() throws IOException {
    try (var resource = WeaveTest.class.getResourceAsStream("Sample.txt")) {
      return new String(resource.readAllBytes(), UTF_8);
    }
  }

  private void compile(String source) throws IOException {
    Path file = Files.createDirectories(folder.resolve("sources")).resolve("Sample.java");
    Files.writeString(file, source);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-nowarn", "-d", folder.toString(), file.toString());
    assertEquals(0, result);
  }

  /** What {@code Sample.run} answers in a class loader of its own. */
  private String said() throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
      return (String) loader.loadClass("sample.Sample").getMethod("run").invoke(null);
    }
  }

  private long dynamicCalls(String bootstrap) throws IOException {
    long calls = 0;
    for (Path file : classFiles()) {
      ClassModel parsed = ClassFile.of().parse(Files.readAllBytes(file));
      calls +=
          parsed.methods().stream()
              .flatMap(method -> method.code().stream())
              .flatMap(code -> code.elementStream())
              .filter(
                  element ->
                      element instanceof InvokeDynamicInstruction call
                          && call.bootstrapMethod().methodName().equals(bootstrap))
              .count();
    }
    return calls;
  }

  private List<Path> classFiles() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
  }

  private Map<String, List<Byte>> files() throws IOException {
    Map<String, List<Byte>> files = new TreeMap<>();
    for (Path file : classFiles()) {
      files.put(file.getFileName().toString(), bytes(file));
    }
    return files;
  }

  private static List<Byte> bytes(Path file) {
    try {
      List<Byte> bytes = new ArrayList<>();
      for (byte one : Files.readAllBytes(file)) {
        bytes.add(one);
      }
      return bytes;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
