package dev.upcall.cli.files;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallReads;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.posix.ModeText;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ReadingCommand;
import dev.upcall.completion.Failure;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall ls}. */
@Command(
    name = "ls",
    description = "List a directory of the store, in the order of the names' bytes.")
public final class ListCommand extends ReadingCommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "/path",
      description = "What to list; of several each under its path, files first. Default: /")
  List<String> paths = new ArrayList<>();

  @Option(names = "-l", description = "Show mode, size, time and the targets of links.")
  boolean detailed;

  @Option(
      names = {"-s", "--size"},
      description = "With -l: first how many bytes are stored on the volume.")
  boolean stored;

  @Option(
      names = {"-R", "--recursive"},
      description = "Also what is below; whole paths, a directory before its entries.")
  boolean recursive;

  @Option(
      names = {"-0", "--null"},
      description = "End each line with a NUL, and escape nothing in it.")
  boolean zeros;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many entries.")
  long limit = Long.MAX_VALUE;

  @Option(
      names = "--after",
      paramLabel = "NAME",
      description = "Only entries of the directory itself after this name.")
  @Nullable String after;

  private long shown;
  private @Nullable JsonGenerator json;
  private @Nullable Operands listed;

  public ListCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int read(UpcallReads store) throws IOException {
    if (limit < 0) {
      throw CommandFailure.usage("--limit must not be negative");
    }
    if (stored && !detailed && !output.json) {
      throw CommandFailure.usage("-s is for -l; --json has it in each entry");
    }
    Operands tops =
        Operands.ofPaths(paths.isEmpty() ? List.of("/") : paths, shell::say, shell.stop()::isAsked);
    listed = tops;
    if (after != null && !tops.isOne()) {
      throw CommandFailure.usage("--after is a name of one directory; list it alone");
    }
    if (output.json) {
      document(store, tops);
    } else if (tops.isOne()) {
      tops.each(top -> list(store, top, store.stat(top)));
    } else {
      return each(store, tops);
    }
    return tops.exitCode(ExitCode.OK);
  }

  /** As ls does it: first what is no directory, then each directory under its path. */
  private int each(UpcallReads store, Operands tops) throws IOException {
    List<String> found = new ArrayList<>();
    tops.each(
        top -> {
          FileInfo info = store.stat(top);
          if (info.isDirectory()) {
            found.add(top);
          } else {
            list(store, top, info);
          }
        });
    Operands directories = new Operands(found, shell::say, shell.stop()::isAsked);
    listed = directories;
    String[] before = {shown == 0 ? "" : lineEnd()};
    directories.each(
        directory -> {
          shell.out().print(before[0] + shown(directory) + ":" + lineEnd());
          before[0] = lineEnd();
          shown = 0;
          list(store, directory, store.stat(directory));
        });
    return directories.exitCode(tops.exitCode(ExitCode.OK));
  }

  private void document(UpcallReads store, Operands tops) throws IOException {
    Json.object(
        shell.out(),
        opening(),
        fields -> {
          json = fields;
          if (tops.isOne()) {
            tops.each(top -> write(fields, store, top, store.stat(top)));
            tops.write(fields);
            return;
          }
          fields.writeArrayFieldStart("listings");
          tops.each(
              top -> {
                FileInfo info = store.stat(top);
                fields.writeStartObject();
                try {
                  write(fields, store, top, info);
                } finally {
                  fields.writeEndObject();
                }
              });
          fields.writeEndArray();
          tops.write(fields);
        });
  }

  private void write(JsonGenerator fields, UpcallReads store, String top, FileInfo info)
      throws IOException {
    shown = 0;
    fields.writeStringField("path", top);
    fields.writeArrayFieldStart("entries");
    String next = null;
    try {
      next = list(store, top, info);
    } finally {
      // A directory that cannot be listed to its end is a problem beside its first entries.
      fields.writeEndArray();
      fields.writeStringField("nextAfter", next);
    }
  }

  /** Lists the top; returns the last name of it that was shown when entries are left, else null. */
  private @Nullable String list(UpcallReads store, String top, FileInfo info) throws IOException {
    if (info.isDirectory()) {
      if (json == null && !detailed && !recursive) {
        names(store, top);
        return null;
      }
      return entries(store, top, after);
    }
    show(store, top, store.stat(top, LinkPolicy.NO_FOLLOW));
    return null;
  }

  /** Names and nothing else, for which no entry is looked at. */
  private void names(UpcallReads store, String directory) {
    String last = after;
    boolean more = true;
    while (more && shown < limit) {
      int most = (int) Math.min(Listing.MAX_ENTRIES, limit - shown);
      Listing.Names page =
          store.names(
              directory,
              new Listing.Range(Optional.ofNullable(last), Listing.Direction.ASCENDING, most));
      StringBuilder lines = new StringBuilder();
      for (String name : page.names()) {
        lines.append(shown(name)).append(lineEnd());
        last = name;
      }
      shell.out().print(lines);
      shown += page.names().size();
      more = page.hasMore();
    }
  }

  private @Nullable String entries(UpcallReads store, String directory, @Nullable String begin)
      throws IOException {
    String last = begin;
    while (true) {
      int most = (int) Math.min(Listing.MAX_ENTRIES, limit - shown);
      if (most <= 0) {
        return last;
      }
      Listing page =
          Trees.list(store, directory, Objects.requireNonNullElse(last, ""), most, this::damaged);
      for (FileInfo entry : page.entries()) {
        if (shown >= limit) {
          return last;
        }
        last = entry.name();
        String entryPath = directory.equals("/") ? "/" + last : directory + "/" + last;
        show(store, entryPath, entry);
        if (recursive && entry.isDirectory()) {
          entries(store, entryPath, null);
        }
      }
      if (!page.hasMore()) {
        return null;
      }
      last = page.nextAfter().orElseThrow(); // the entry of that name may be left out
    }
  }

  /** Of one entry nothing can be read; the others are listed. */
  private void damaged(StorePath path, Failure why) {
    Objects.requireNonNull(listed, "listed").failed(path.toString(), why.message());
  }

  private void show(UpcallReads store, String entryPath, FileInfo entry) throws IOException {
    shown++;
    String target =
        entry.isSymbolicLink() && (detailed || json != null) ? store.readLink(entryPath) : null;
    if (json != null) {
      json.writeStartObject();
      json.writeStringField("name", entry.name());
      Json.info(json, entryPath, entry, target);
      json.writeEndObject();
      return;
    }
    String name = shown(recursive ? entryPath : entry.name());
    if (!detailed) {
      shell.out().print(name + lineEnd());
      return;
    }
    shell
        .out()
        .printf(
            Locale.ROOT,
            "%s%s %12d  %s  %s%s%s",
            stored ? "%12d ".formatted(entry.stored().bytes()) : "",
            ModeText.of(entry),
            entry.sizeBytes(),
            Json.time(entry.times().modifiedNanos()).substring(0, 19).replace('T', ' '),
            name,
            target == null ? "" : " -> " + shown(target),
            lineEnd());
  }

  private String shown(String text) {
    return zeros ? text : Printable.of(text);
  }

  private String lineEnd() {
    return zeros ? "\0" : System.lineSeparator();
  }
}
