package dev.upcall.fsm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps {@code docs/state-machines/} equal to the declarations in the code. Each module has one
 * test that calls {@link #check} with its machines; it fails when a page is missing or stale, or a
 * state cannot be reached. With {@code -Dupcall.docs.write=true} the same test writes the pages.
 */
public final class StateMachineDocs {
  private static final String WRITE = "upcall.docs.write";

  private StateMachineDocs() {}

  /** Checks, or writes, the pages of these machines. */
  public static void check(Transitions<?>... machines) {
    check(
        repository().resolve("docs").resolve("state-machines"),
        Boolean.getBoolean(WRITE),
        machines);
  }

  static void check(Path folder, boolean write, Transitions<?>... machines) {
    List<String> wrong = new ArrayList<>();
    try {
      for (Transitions<?> machine : machines) {
        if (!machine.unreachable().isEmpty()) {
          wrong.add(machine.machine() + " can never reach " + machine.unreachable());
        }
        Path page = folder.resolve(machine.machine() + ".md");
        String text = MermaidDiagrams.page(machine);
        if (write) {
          Files.createDirectories(folder);
          Files.writeString(page, text);
        } else if (!Files.exists(page) || !Files.readString(page).equals(text)) {
          wrong.add(page.getFileName() + " is missing or stale");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError(
          String.join("\n", wrong)
              + "\nwrite the pages with: mvn test -Dtest='*Machine*,*Transitions*' -D"
              + WRITE
              + "=true -Dsurefire.failIfNoSpecifiedTests=false");
    }
  }

  private static Path repository() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("storage-core").resolve("pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("not run inside the project");
  }
}
