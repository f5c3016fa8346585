package dev.upcall.cli.posix;

import dev.upcall.Existence;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.option.StorePaths;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall touch}. */
@Command(
    name = "touch",
    description = "Set when files were last changed, to now; make those empty that are not there.")
public final class TouchCommand implements Around.Working {
  @Parameters(arity = "1..*", paramLabel = "/path", description = "The files; links are followed.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-c", "--no-create"},
      description = "Make none.")
  boolean onlyPresent;

  @Option(
      names = {"-d", "--date"},
      paramLabel = "TIME",
      description = "To this time: 2026-11-29, 2026-11-29T13:00:00Z, @1795957200.")
  @Nullable String time;

  @Option(
      names = "-t",
      paramLabel = "[[CC]YY]MMDDhhmm[.ss]",
      description = "The same as digits, in UTC: 202611291300.")
  @Nullable String digits;

  @Option(names = "-m", description = "What it does anyway: a store keeps no time of reading.")
  boolean modified;

  @Option(
      names = {"-r", "--reference"},
      paramLabel = "/path",
      description = "To the time of this path of the store.")
  @Nullable String reference;

  @Override
  public int run(Upcall store, Around around) throws IOException {
    if (Stream.of(time, digits, reference).filter(Objects::nonNull).count() > 1) {
      throw CommandFailure.usage("--date, -t and --reference are several times; name one");
    }
    MetadataChange change = change(store);
    List<String> touched = new ArrayList<>();
    Operands operands = Operands.ofPaths(paths, around.say(), around.isStopped());
    operands.each(
        path -> {
          if (touch(store, path, change)) {
            touched.add(path);
          }
        });
    if (around.json()) {
      around.write(
          json -> {
            json.writeArrayFieldStart("touched");
            for (String path : touched) {
              json.writeString(path);
            }
            json.writeEndArray();
            operands.write(json);
          });
    }
    return operands.exitCode(ExitCode.OK);
  }

  private MetadataChange change(Upcall store) {
    if (reference != null) {
      FileInfo model = store.stat(StorePaths.parse(reference).toString());
      return MetadataChange.NONE.withModifiedNanos(model.times().modifiedNanos());
    }
    if (digits != null) {
      return MetadataChange.NONE.withModifiedNanos(TimeText.nanosOfDigits("-t", digits));
    }
    return time == null
        ? MetadataChange.NONE.withModified(Instant.now())
        : MetadataChange.NONE.withModifiedNanos(TimeText.nanos("--date", time));
  }

  private boolean touch(Upcall store, String path, MetadataChange change) {
    try {
      store.setMetadata(path, LinkPolicy.FOLLOW, change);
      return true;
    } catch (UpcallException.NotFound absent) {
      if (onlyPresent) {
        return false;
      }
    }
    PutOptions options =
        PutOptions.DEFAULT.withExistence(Existence.MUST_NOT_EXIST).withMetadata(change);
    try {
      store.write(path, new byte[0], options);
    } catch (UpcallException.AlreadyExists overtaken) {
      // Somebody else has made it meanwhile.
      store.setMetadata(path, LinkPolicy.FOLLOW, change);
    }
    return true;
  }
}
