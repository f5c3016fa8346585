package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of what programs may name compile. */
class JavadocExamplesTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\n(.*?)\\}</pre>", Pattern.DOTALL);

  /** What examples take for granted: a store, and methods of the reader's. */
  private static final String AROUND =
      """
      import static java.nio.charset.StandardCharsets.UTF_8;
      import dev.upcall.*;
      import dev.upcall.completion.*;
      import dev.upcall.config.*;
      import dev.upcall.content.*;
      import dev.upcall.feed.*;
      import dev.upcall.fsm.*;
      import dev.upcall.fsm.record.*;
      import dev.upcall.journal.recording.*;
      import dev.upcall.metrics.*;
      import dev.upcall.stage.*;
      import dev.upcall.store.*;
      import dev.upcall.table.*;
      import dev.upcall.trees.*;
      import io.micrometer.core.instrument.*;
      import java.io.*;
      import java.nio.*;
      import java.nio.file.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      abstract class Example%d {
        FsmUpcall store;
        UpcallConfig config;
        Path volume, folder;
        MeterRegistry registry;
        FlightRecorder recorder;
        StageFiles files;
        Executor executor;
        boolean goesOn;
        abstract long parse(byte[] bytes);
        abstract byte[] text(long number);
        abstract CompletionStage<Void> index(StorePath path);
        abstract void backup(FileInfo file, InputStream content);
        void run() throws Exception {
      %s
        }
      }
      """;

  @Test
  void examplesCompile() throws IOException {
    List<JavaFileObject> examples = new ArrayList<>();
    for (String module : PublishedModules.published()) {
      for (Path file : sources(module)) {
        for (String example : examples(Files.readString(file))) {
          examples.add(new Example(examples.size(), example));
        }
      }
    }
    assertTrue(examples.size() >= 5, examples.size() + " examples");
    assertEquals(List.of(), faults(examples));
  }

  @Test
  void aWrongExampleIsNoticed() {
    assertEquals(1, faults(List.of(new Example(0, "store.noSuchMethod();"))).size());
    assertEquals(
        List.of("a();\n b();\n"),
        examples("/**\n * <pre>{@code\n * a();\n *  b();\n * }</pre>\n */"));
  }

  /** Of the packages that a module exports to all. */
  private static List<Path> sources(String module) {
    return PublishedModules.descriptor(module).stream()
        .flatMap(descriptor -> descriptor.exports().stream())
        .filter(exported -> !exported.isQualified())
        .map(exported -> "src/main/java/" + exported.source().replace('.', '/'))
        .map(folder -> PublishedModules.ROOT.resolve(module).resolve(folder))
        .flatMap(JavadocExamplesTest::files)
        .toList();
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** What is Java, and no picture; where three dots stand the reader goes on. */
  private static List<String> examples(String source) {
    return EXAMPLE
        .matcher(source)
        .results()
        .map(example -> example.group(1).replaceAll("(?m)^ *\\* ?", ""))
        .map(example -> example.replaceAll("(?m)^ *\\.\\.\\.$", "").stripTrailing() + "\n")
        .filter(example -> example.contains(";"))
        .toList();
  }

  private static List<String> faults(List<JavaFileObject> examples) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
    compiler.getTask(null, new InMemoryOutput(compiler), found, options, null, examples).call();
    return found.getDiagnostics().stream()
        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
        .map(one -> one.getMessage(Locale.ROOT) + " in\n" + one.getSource())
        .toList();
  }

  /** One as a class. */
  private static final class Example extends SimpleJavaFileObject {
    private final String text;

    Example(int number, String body) {
      super(URI.create("string:///Example" + number + ".java"), Kind.SOURCE);
      text = AROUND.formatted(number, body);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
