package dev.upcall.fsm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps {@code docs/state-machines/} equal to the declarations in the code. Each module has one
 * test that calls {@link #check} with its machines; it fails when a page is missing or stale, or a
 * state has no Javadoc or cannot be reached. With {@code -Dupcall.docs.write=true} the same test
 * writes the pages.
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
        Set<Enum<?>> unreachable = unreachable(machine);
        if (!unreachable.isEmpty()) {
          wrong.add(machine.machine() + " can never reach " + unreachable);
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

  private static Set<Enum<?>> unreachable(Transitions<?> machine) {
    Set<Enum<?>> rest = new LinkedHashSet<>(machine.states());
    rest.remove(machine.initial());
    // A path is at most as long as there are states.
    for (int length = 1; length < machine.states().size(); length++) {
      for (Transitions.Transition<?> move : machine.declared()) {
        if (!rest.contains(move.from())) {
          rest.remove(move.to());
        }
      }
    }
    return rest;
  }

  /** The folder of the whole project. */
  static Path repository() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("storage-core").resolve("pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("not run inside the project");
  }
}
