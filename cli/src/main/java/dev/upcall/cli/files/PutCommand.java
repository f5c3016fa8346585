package dev.upcall.cli.files;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileInfo;
import dev.upcall.MediaTypes;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.host.HostInput;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ContentOptions;
import dev.upcall.cli.option.Durations;
import dev.upcall.cli.option.EngineOption;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.option.TuningOptions;
import dev.upcall.cli.option.VolumeSizeOption;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.trees.TreeProgress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall put}. */
@Command(name = "put", description = "Make or replace one file of the store, at once and durably.")
public final class PutCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();
  @Mixin StoreAccess access = new StoreAccess();
  @Mixin TuningOptions tuning = new TuningOptions();
  @Mixin EngineOption engine = new EngineOption();
  @Mixin ContentOptions choices = new ContentOptions();
  @Mixin VolumeSizeOption volumeSize = new VolumeSizeOption();

  @Parameters(index = "0", paramLabel = "FILE|-", description = "What to put; - is standard input.")
  String source = "";

  @Parameters(
      index = "1",
      paramLabel = "/path",
      description = "Where to; a directory, or a path that ends in /, takes FILE's name.")
  String target = "";

  @Option(names = "--new", description = "Fail when something is there.")
  boolean onlyNew;

  @Option(
      names = {"-p", "--parents"},
      description = "Make missing directories.")
  boolean parents;

  @Option(names = "--create", description = "Make the store if there is none.")
  boolean create;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Media type under which it is served; default: by the name.")
  @Nullable String mediaType;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Delete it after this time: 90s, 15m, 1h, 30d.")
  @Nullable Duration timeToLive;

  private final Shell shell;

  public PutCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    Path where = access.find(shell);
    // Before a store is made for it.
    Shell given = shell.reading(source);
    try (InputStream content = given.in()) {
      return StoreAccess.with(
          where,
          () -> open(where),
          given,
          store -> put(store, content, given.named().inputBytes()));
    }
  }

  private Upcall open(Path where) {
    UpcallConfig config = volumeSize.in(choices.in(engine.in(tuning.config(shell::resolve))));
    return create ? Upcall.openOrCreate(where, config) : StoreAccess.open(where, config, shell);
  }

  private int put(Upcall store, InputStream content, long sizeBytes) throws IOException {
    StorePath path = target(store);
    MetadataChange metadata =
        mediaType == null
            ? MetadataChange.NONE
            : MetadataChange.NONE.withAttribute(
                MediaTypes.ATTRIBUTE, mediaType.getBytes(StandardCharsets.UTF_8));
    if (timeToLive != null) {
      metadata = metadata.withExpiry(Expiry.after(timeToLive));
    }
    PutOptions options =
        (parents ? PutOptions.WITH_PARENTS : PutOptions.DEFAULT)
            .withExistence(onlyNew ? Existence.MUST_NOT_EXIST : Existence.ANY)
            .withMetadata(metadata);
    TreeProgress meter = new TreeProgress();
    if (sizeBytes >= 0) {
      meter.totals(1, sizeBytes);
    }
    FileInfo made;
    try (ProgressLine _ = new ProgressLine(shell, "put", meter)) {
      made = store.write(path, counted(content, meter), options);
    }
    report(path, made);
    return ExitCode.OK;
  }

  private void report(StorePath path, FileInfo made) throws IOException {
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, path.toString(), made, null));
    } else {
      shell.say(path + ": " + made.sizeBytes() + " bytes");
    }
  }

  private StorePath target(Upcall store) {
    StorePath path = StorePaths.parse(target);
    boolean directory =
        target.endsWith("/") || (store.exists(path) && store.stat(path).isDirectory());
    if (!directory) {
      return path;
    }
    if (HostInput.isStandard(source)) {
      throw CommandFailure.usage(
          target + " is a directory; say under which name standard input is to be put");
    }
    Path name = Path.of(source).getFileName();
    return StorePaths.parse(path.isRoot() ? "/" + name : path + "/" + name);
  }

  private InputStream counted(InputStream content, TreeProgress meter) {
    return new FilterInputStream(content) {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        shell.stop().endIfAsked();
        int got = in.read(into, offset, length);
        meter.bytes(Math.max(0, got));
        return got;
      }
    };
  }
}
