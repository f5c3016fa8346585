package dev.upcall.fsm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the source says of a state: the first sentence of its Javadoc. */
final class StateSentences {
  private StateSentences() {}

  /** The sentence without its full stop; fails for a state that has none. */
  static String of(Enum<?> state) {
    Class<?> type = state.getDeclaringClass();
    String text = sourceOf(type.getNestHost());
    Matcher declared = Pattern.compile("\\benum " + type.getSimpleName() + "\\b").matcher(text);
    Matcher constant =
        Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*" + state.name() + "\\b", Pattern.DOTALL)
            .matcher(text);
    if (!declared.find() || !constant.find(declared.end())) {
      throw new AssertionError(type.getName() + "." + state.name() + " has no Javadoc");
    }
    return constant
        .group(1)
        .replaceAll("\\{@\\w+ (?:\\w*#)?([^}]*)\\}", "$1")
        .replaceAll("\\s*\\n\\s*\\*\\s*", " ")
        .strip()
        .replaceFirst("\\.(?: .*)?$", "");
  }

  private static String sourceOf(Class<?> type) {
    String file = type.getName().replace('.', '/') + ".java";
    try (Stream<Path> modules = Files.list(StateMachineDocs.repository())) {
      return modules
          .flatMap(module -> Stream.of("src/main/java", "src/test/java").map(module::resolve))
          .map(folder -> folder.resolve(file))
          .filter(Files::exists)
          .map(StateSentences::text)
          .findFirst()
          .orElseThrow(() -> new AssertionError("no source of " + type.getName()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
