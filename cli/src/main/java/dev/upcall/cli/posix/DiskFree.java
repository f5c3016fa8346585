package dev.upcall.cli.posix;

import dev.upcall.Upcall;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.TextTable;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall df}. */
@Command(
    name = "df",
    description = {
      "Show what a store may hold, what of it is used, and what is free.",
      "Where the host's disk has less room than the store may still take, free is what fits there.",
    })
public final class DiskFree implements Around.Working {
  private static final long KIB_BYTES = 1024;

  @Option(
      names = {"-h", "--human"},
      description = "Sizes for a person: 1.5 GiB. Default: bytes.")
  boolean human;

  @Option(
      names = {"-H", "--si"},
      description = "The same in powers of 1000: 1.6 GB.")
  boolean decimal;

  @Option(names = "-k", description = "Sizes in KiB.")
  boolean kibibytes;

  @Parameters(
      arity = "0..*",
      paramLabel = "/path",
      description = "Paths of the store, which must be there: all are in the one store.")
  List<String> paths = new ArrayList<>();

  @Override
  public int run(Upcall store, Around around) throws IOException {
    if (Stream.of(human, decimal, kibibytes).filter(chosen -> chosen).count() > 1) {
      throw CommandFailure.usage("-h, -H and -k are different units; name one");
    }
    Operands operands = Operands.ofPaths(paths, around.say(), around.isStopped());
    operands.each(store::stat);
    StoreInfo info = store.info();
    long used = info.sizeBytes() - info.freeBytes();
    long free = info.freeBytes() + growthBytes(info, around.volume());
    if (around.json()) {
      around.write(
          json -> {
            json.writeStringField("store", around.volume().toString());
            json.writeNumberField("capBytes", info.capBytes());
            json.writeNumberField("usedBytes", used);
            json.writeNumberField("freeBytes", free);
            operands.write(json);
          });
      return operands.exitCode(ExitCode.OK);
    }
    String unit = kibibytes ? " KiB" : "";
    TextTable table =
        new TextTable(1, "store", "size" + unit, "used" + unit, "free" + unit, "used %");
    long percent = info.capBytes() == 0 ? 0 : Math.ceilDiv(used * 100, info.capBytes());
    table.row(
        Printable.of(around.volume().toString()),
        size(info.capBytes()),
        size(used),
        size(free),
        percent);
    table.print(around.out());
    return operands.exitCode(ExitCode.OK);
  }

  /** By how much the store's file can still grow: as it may, and as the host has room. */
  private static long growthBytes(StoreInfo info, Path volume) throws IOException {
    long allowed = info.capBytes() - info.sizeBytes();
    return allowed == 0
        ? 0
        : Math.min(allowed, Files.getFileStore(volume.toAbsolutePath()).getUsableSpace());
  }

  private String size(long bytes) {
    if (human) {
      return Sizes.show(bytes);
    }
    if (decimal) {
      return Sizes.showDecimal(bytes);
    }
    return Long.toString(kibibytes ? Math.ceilDiv(bytes, KIB_BYTES) : bytes);
  }
}
