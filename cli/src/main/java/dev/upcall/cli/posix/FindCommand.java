package dev.upcall.cli.posix;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.UpcallReads;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.Trees;
import dev.upcall.trees.WalkOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code upcall find}. */
@Command(
    name = "find",
    description = {
      "List paths of a tree, a directory before its entries, in the order of the names' bytes.",
      "Of several conditions all must hold. Symbolic links are not followed.",
    })
public final class FindCommand implements Around.Reading {
  @Parameters(arity = "0..*", paramLabel = "/path", description = "Where to begin. Default: /")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-name", "--name"},
      paramLabel = "GLOB",
      description = "Only names that match: * any text, ? a character, [a-z] one of some.")
  @Nullable String name;

  @Option(
      names = {"-iname", "--iname"},
      paramLabel = "GLOB",
      description = "The same, in upper or lower case.")
  @Nullable String anyCaseName;

  @Option(
      names = {"-type", "--type"},
      paramLabel = "f|d|l",
      description = "Only files, directories or symbolic links.")
  @Nullable String type;

  @Option(
      names = {"-size", "--size"},
      paramLabel = "[+-]SIZE",
      description = "Only files of more (+1m), less (-64k) or just so many bytes.")
  @Nullable String size;

  @Option(
      names = {"-empty", "--empty"},
      description = "Only files of no bytes, and directories without entries.")
  boolean empty;

  @Option(
      names = {"-newer", "--newer"},
      paramLabel = "/path|TIME",
      description =
          "Only what was changed later than this path of the store, or than a time: 2026-11-29,"
              + " 2026-11-29T13:00:00Z.")
  @Nullable String newer;

  @Option(
      names = {"-maxdepth", "--max-depth"},
      paramLabel = "N",
      description = "At most so many names below where it begins; 0 is that alone.")
  int maxDepth = Integer.MAX_VALUE;

  @Option(
      names = {"-0", "-print0", "--null"},
      description = "End each path with a NUL, and escape nothing in it.")
  boolean zeros;

  @Override
  public int run(UpcallReads store, Around around) throws IOException {
    if (maxDepth < 0) {
      throw CommandFailure.usage("--max-depth must not be negative");
    }
    Operands starts =
        Operands.ofPaths(paths.isEmpty() ? List.of("/") : paths, around.say(), around.isStopped());
    Predicate<TreeEntry> wanted =
        named().and(typed()).and(sized()).and(changedLater(store)).and(withNothingInIt(store));
    if (around.json()) {
      around.write(
          json -> {
            json.writeArrayFieldStart("entries");
            each(store, starts, wanted, around, (_, entry) -> write(json, store, entry));
            json.writeEndArray();
            starts.write(json);
          });
    } else {
      each(store, starts, wanted, around, this::print);
    }
    return starts.exitCode(around.isStopped().getAsBoolean() ? ExitCode.FAILED : ExitCode.OK);
  }

  private static void write(JsonGenerator json, UpcallReads store, TreeEntry entry)
      throws IOException {
    String path = entry.path().toString();
    FileInfo info = entry.info();
    String target = info.isSymbolicLink() ? store.readLink(path) : null;
    json.writeStartObject();
    Json.info(json, path, info, target);
    json.writeEndObject();
  }

  /** Takes what was found. */
  private interface Found {
    void take(Around around, TreeEntry entry) throws IOException;
  }

  private void each(
      UpcallReads store, Operands starts, Predicate<TreeEntry> wanted, Around around, Found found)
      throws IOException {
    WalkOptions options = WalkOptions.DEFAULT.withMaxDepth(maxDepth);
    starts.each(
        start -> {
          // A path that is not there is a failure, as in find.
          store.stat(start, LinkPolicy.NO_FOLLOW);
          Iterator<TreeEntry> entries = Trees.iterator(store, start, options);
          while (entries.hasNext() && !around.isStopped().getAsBoolean()) {
            TreeEntry entry = entries.next();
            if (wanted.test(entry)) {
              found.take(around, entry);
            }
          }
        });
  }

  private void print(Around around, TreeEntry entry) {
    String path = entry.path().toString();
    if (zeros) {
      around.out().print(path + '\0');
    } else {
      around.out().println(Printable.of(path));
    }
  }

  private Predicate<TreeEntry> named() {
    Predicate<TreeEntry> matches = _ -> true;
    if (name != null) {
      matches = matches.and(matching("--name", name, false));
    }
    return anyCaseName == null ? matches : matches.and(matching("--iname", anyCaseName, true));
  }

  private static Predicate<TreeEntry> matching(String option, String glob, boolean anyCase) {
    Pattern pattern;
    try {
      pattern = NameGlob.pattern(glob, anyCase);
    } catch (PatternSyntaxException wrong) {
      throw CommandFailure.usage(option + " " + glob + " is no pattern: " + wrong.getDescription());
    }
    return entry ->
        pattern.matcher(entry.path().isRoot() ? "/" : entry.path().lastName()).matches();
  }

  private Predicate<TreeEntry> typed() {
    return switch (type) {
      case null -> _ -> true;
      case "f" -> entry -> entry.info().isFile();
      case "d" -> entry -> entry.info().isDirectory();
      case "l" -> entry -> entry.info().isSymbolicLink();
      default -> throw CommandFailure.usage("--type is f, d or l, not '" + type + "'");
    };
  }

  private Predicate<TreeEntry> sized() {
    if (size == null) {
      return _ -> true;
    }
    boolean signed = size.startsWith("+") || size.startsWith("-");
    long bytes = bytes(signed ? size.substring(1) : size);
    int sign = size.startsWith("+") ? 1 : size.startsWith("-") ? -1 : 0;
    return entry ->
        entry.info().isFile() && Long.signum(Long.compare(entry.info().sizeBytes(), bytes)) == sign;
  }

  private Predicate<TreeEntry> withNothingInIt(UpcallReads store) {
    if (!empty) {
      return _ -> true;
    }
    return entry ->
        entry.info().isFile()
            ? entry.info().sizeBytes() == 0
            : entry.info().isDirectory()
                && store.list(entry.path().toString(), "", 1).entries().isEmpty();
  }

  /** As find counts with the letter c, which is how this command counts without it. */
  private long bytes(String count) {
    try {
      return Sizes.parse(count.endsWith("c") ? count.substring(0, count.length() - 1) : count);
    } catch (TypeConversionException wrong) {
      throw CommandFailure.usage("--size " + size + ": " + wrong.getMessage());
    }
  }

  private Predicate<TreeEntry> changedLater(UpcallReads store) {
    if (newer == null) {
      return _ -> true;
    }
    long nanos =
        newer.startsWith("/")
            ? store.stat(StorePaths.parse(newer).toString()).times().modifiedNanos()
            : TimeText.nanos("--newer", newer);
    return entry -> entry.info().times().modifiedNanos() > nanos;
  }
}
