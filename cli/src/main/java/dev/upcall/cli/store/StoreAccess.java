package dev.upcall.cli.store;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.Arguments;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.LookOption;
import dev.upcall.cli.option.Moment;
import dev.upcall.cli.shell.LentStore;
import dev.upcall.cli.shell.Shell;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which store, and opening it. */
public final class StoreAccess {
  /** The environment variable that names a store where no option does. */
  public static final String VARIABLE = "UPCALL_STORE";

  /** How the names of stores end. */
  public static final String SUFFIX = ".upcall";

  @Option(
      names = "--store",
      paramLabel = "PATH",
      description =
          "The store: one file or block device. Default: $"
              + VARIABLE
              + ", else the only *"
              + SUFFIX
              + " file of the current directory.")
  @Nullable public Path store;

  /** Something that is done with an open store; returns the exit code. */
  public interface Work {
    int run(Upcall store) throws IOException;
  }

  /**
   * Does something with a store: here with the one that is lent, by asking its owner, or, where
   * nobody listens, with one that is opened for it and closed.
   */
  public static int with(Path volume, Supplier<Upcall> opening, Shell shell, Work work)
      throws IOException {
    LentStore lent = shell.lent();
    if (lent != null) {
      lent.files().check(shell.named());
      Moment.warn(lent.store().info().opening(), shell::say);
      return work.run(lent.store());
    }
    StoreFiles.of(volume).check(shell.named());
    Opening patient = new Opening(shell);
    Upcall opened;
    do {
      // Who has it may listen by now.
      OptionalInt answered = OwnerCall.tryMake(volume, shell);
      if (answered.isPresent()) {
        return answered.getAsInt();
      }
      opened = patient.tryOpen(opening);
    } while (opened == null);
    try (Upcall store = opened) {
      return work.run(store);
    }
  }

  /**
   * Does something in the process that has a store open, and nowhere else.
   *
   * @param named the store, or null for the one that is meant where none is named
   */
  public static int whereOpen(@Nullable Path named, Shell shell, Work work) throws IOException {
    StoreAccess access = new StoreAccess();
    access.store = named;
    Path volume = access.find(shell);
    LentStore lent = shell.lent();
    if (lent != null) {
      return work.run(lent.store());
    }
    OptionalInt answered = OwnerCall.tryMake(volume, shell);
    return answered.orElseThrow(
        () -> CommandFailure.failed("no process that answers has " + volume + " open"));
  }

  /** Where the store of a command without a directory is. */
  public Path find(Shell shell) throws IOException {
    Path named = named(shell);
    if (named != null) {
      return named;
    }
    Path here = shell.resolve(Path.of(".")).toRealPath();
    List<Path> found = storesIn(here);
    if (found.size() != 1) {
      throw CommandFailure.usage(
          (found.isEmpty()
                  ? "no store named, and no *" + SUFFIX + " file in " + here
                  : "no store named, and " + found.size() + " *" + SUFFIX + " files in " + here)
              + "; give --store PATH or set "
              + VARIABLE);
    }
    return found.getFirst();
  }

  /** As {@link #find}, or null where that fails because no store is named. */
  @Nullable public Path findIfAny(Shell shell) throws IOException {
    Path named = named(shell);
    if (named != null) {
      return named;
    }
    List<Path> found = storesIn(shell.resolve(Path.of(".")).toRealPath());
    return found.size() == 1 ? found.getFirst() : null;
  }

  private static List<Path> storesIn(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      stream.forEach(found::add);
    }
    found.removeIf(path -> !Files.isRegularFile(path));
    return found;
  }

  /** Where the store for a directory of the host is. */
  public Path findFor(Path directory, Shell shell) throws IOException {
    Path named = named(shell);
    if (named != null) {
      return named;
    }
    Path name = directory.toRealPath().getFileName();
    return shell.resolve(Path.of((name == null ? "root" : name) + SUFFIX)).toAbsolutePath();
  }

  private @Nullable Path named(Shell shell) {
    LentStore lent = shell.lent();
    if (lent != null) {
      return lent.volume();
    }
    String variable = shell.environment().apply(VARIABLE);
    if (store != null) {
      return shell.resolve(store);
    }
    if (variable == null || variable.isEmpty()) {
      return null;
    }
    if (Arguments.mayBeGarbled(variable)) {
      throw CommandFailure.usage(VARIABLE + " is not valid UTF-8; name the store otherwise");
    }
    return shell.resolve(Path.of(variable));
  }

  /** The host's files that belong to a store which is open here, under whatever name. */
  public static StoreFiles files(Path volume, Shell shell) {
    LentStore lent = shell.lent();
    return lent == null ? StoreFiles.of(volume) : lent.files();
  }

  /** Opens a store that exists, and says when something of it cannot be read. */
  public static Upcall open(Path path, UpcallConfig config, Shell shell) {
    Upcall opened = existing(path, () -> Upcall.open(path, config));
    Moment.warn(opened.info().opening(), shell::say);
    return opened;
  }

  /** Opens a store that exists so that nothing of it can be written. */
  static Upcall look(Path path, UpcallConfig config, LookOption look, Shell shell) {
    Upcall opened = existing(path, () -> Upcall.open(path, look.in(config)));
    try {
      look.check(opened.info().opening());
    } catch (CommandFailure older) {
      opened.close();
      throw older;
    }
    Moment.warn(opened.info().opening(), shell::say);
    return opened;
  }

  /** Does something with a store that must exist; says how to make one where it does not. */
  public static <T> T existing(Path path, Supplier<T> work) {
    try {
      return work.get();
    } catch (UpcallException failed) {
      Path folder = path.toAbsolutePath().getParent();
      if (failed.failure() instanceof Failure.NotFound
          && (folder == null || Files.isDirectory(folder))) {
        throw CommandFailure.failed(
            "no store at "
                + path
                + "; make one with: upcall create "
                + path
                + ", or: upcall import DIR --store "
                + path);
      }
      throw failed;
    }
  }
}
