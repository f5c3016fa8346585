package dev.upcall.cli.files;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.TreeProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall join}. */
@Command(
    name = "join",
    description = {
      "Make a file of others, one behind the other, without copying: they share what is on the"
          + " volume.",
      "Of one file, with --offset and --length, a part is taken out."
    })
public final class JoinCommand extends ChangingCommand {
  /** Behind so many sources it is seen how far it is, and ended if that is asked for. */
  private static final int MOST_AT_ONCE = 256;

  /** What a killed command leaves behind is gone after that. */
  private static final long LEFT_BEHIND_NANOS = TimeUnit.DAYS.toNanos(1);

  @Parameters(index = "0", paramLabel = "/target", description = "The file to make.")
  String target = "";

  @Parameters(
      index = "1",
      arity = "1..*",
      paramLabel = "/source",
      description = "What it shall consist of, in order; a file may come several times.")
  List<String> sources = new ArrayList<>();

  @Option(
      names = "--replace",
      description =
          "A file that is there gives way, when all is done; it may be among the sources.")
  boolean replace;

  @Option(
      names = "--offset",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "Of one source: from this byte on.")
  @Nullable Long offset;

  @Option(
      names = "--length",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "Of one source: so many bytes; default: all to its end.")
  @Nullable Long length;

  public JoinCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    StorePath at = StorePaths.parse(target);
    List<FileRequest.Range> ranges = ranges(store);
    if (!replace) {
      checkFree(store, at);
    }
    FileInfo made = join(store, at, ranges);
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at.toString(), made, null));
    } else {
      shell.say(at + ": " + made.sizeBytes() + " bytes");
    }
    return ExitCode.OK;
  }

  /** What of the sources is to come; each as long as it is now. */
  private List<FileRequest.Range> ranges(Upcall store) {
    Long from = offset;
    Long bytes = length;
    if ((from != null || bytes != null) && sources.size() > 1) {
      throw CommandFailure.usage("--offset and --length are those of one source");
    }
    List<FileRequest.Range> ranges = new ArrayList<>();
    for (String source : sources) {
      StorePath path = StorePaths.parse(source);
      long first = from == null ? 0 : from;
      long size = store.stat(path.toString(), LinkPolicy.FOLLOW).sizeBytes();
      addPieces(ranges, new FileRequest.Range(path, first, bytes == null ? size - first : bytes));
    }
    return ranges;
  }

  /** A range in pieces that one batch copies; a negative one is refused by the store. */
  private static void addPieces(List<FileRequest.Range> ranges, FileRequest.Range all) {
    long at = all.offset();
    long left = all.bytes();
    do {
      long bytes = Math.min(left, FileRequest.MAX_COPIED_BYTES);
      ranges.add(new FileRequest.Range(all.path(), at, bytes));
      at += bytes;
      left -= bytes;
    } while (left > 0);
  }

  private static void checkFree(Upcall store, StorePath at) {
    try {
      store.stat(at.toString(), LinkPolicy.NO_FOLLOW);
    } catch (UpcallException missing) {
      if (missing.failure() instanceof Failure.NotFound) {
        return;
      }
      throw missing;
    }
    throw CommandFailure.failed(at + " exists; use --replace");
  }

  /** Under another name until all is there. */
  private FileInfo join(Upcall store, StorePath at, List<FileRequest.Range> ranges) {
    String whole = at.toString();
    String unfinished =
        whole.substring(0, whole.lastIndexOf('/') + 1) + ".join-" + UUID.randomUUID();
    MetadataChange passing = MetadataChange.NONE.withExpiry(new Expiry.After(LEFT_BEHIND_NANOS));
    store.change(
        new FileRequest.Put(
            StorePath.of(unfinished),
            new FileContent.Bytes(new byte[0]),
            PutOptions.DEFAULT.withMetadata(passing)));
    try {
      copyAll(store, StorePath.of(unfinished), ranges);
      Existence existence = replace ? Existence.ANY : Existence.MUST_NOT_EXIST;
      return store
          .batch(
              List.of(
                  new FileRequest.SetMetadata(
                      StorePath.of(unfinished),
                      LinkPolicy.NO_FOLLOW,
                      MetadataChange.NONE.withExpiry(Expiry.NEVER)),
                  new FileRequest.Rename(StorePath.of(unfinished), at, existence)))
          .files()
          .getLast()
          .orElseThrow();
    } catch (RuntimeException failed) {
      discard(store, unfinished, failed);
      throw failed;
    }
  }

  /** Why it has come to that is told in any case; what stays expires. */
  private static void discard(Upcall store, String unfinished, RuntimeException why) {
    try {
      store.delete(unfinished);
    } catch (UpcallException failed) {
      why.addSuppressed(failed);
    }
  }

  private void copyAll(Upcall store, StorePath to, List<FileRequest.Range> ranges) {
    TreeProgress meter = new TreeProgress();
    meter.totals(ranges.size(), ranges.stream().mapToLong(FileRequest.Range::bytes).sum());
    try (ProgressLine _ = new ProgressLine(shell, "join", meter)) {
      long end = 0;
      int next = 0;
      while (next < ranges.size()) {
        shell.stop().endIfAsked();
        List<FileRequest> batch = new ArrayList<>();
        long bytes = 0;
        while (next < ranges.size() && batch.size() < MOST_AT_ONCE) {
          FileRequest.Range range = ranges.get(next);
          if (!batch.isEmpty() && bytes + range.bytes() > FileRequest.MAX_COPIED_BYTES) {
            break;
          }
          batch.add(new FileRequest.CopyRange(range, to, end + bytes, FileRequest.Placing.INSERT));
          bytes += range.bytes();
          next++;
        }
        store.batch(batch);
        end += bytes;
        meter.entries(batch.size());
        meter.bytes(bytes);
      }
    }
  }
}
