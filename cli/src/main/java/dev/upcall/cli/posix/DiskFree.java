package dev.upcall.cli.posix;

import dev.upcall.Upcall;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.TextTable;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code upcall df}. */
@Command(
    name = "df",
    description = {
      "Show what a store may hold, what of it is used, and what is free.",
      "Where the host's disk has less room than the store may still take, free is what fits there.",
    })
public final class DiskFree implements Around.Working {
  @Option(
      names = {"-h", "--human"},
      description = "Sizes for a person: 1.5 GiB. Default: bytes.")
  boolean human;

  @Override
  public int run(Upcall store, Around around) throws IOException {
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
          });
      return ExitCode.OK;
    }
    TextTable table = new TextTable(1, "store", "size", "used", "free", "used %");
    long percent = info.capBytes() == 0 ? 0 : Math.ceilDiv(used * 100, info.capBytes());
    table.row(
        Printable.of(around.volume().toString()),
        size(info.capBytes()),
        size(used),
        size(free),
        percent);
    table.print(around.out());
    return ExitCode.OK;
  }

  /** By how much the store's file can still grow: as it may, and as the host has room. */
  private static long growthBytes(StoreInfo info, Path volume) throws IOException {
    long allowed = info.capBytes() - info.sizeBytes();
    return allowed == 0
        ? 0
        : Math.min(allowed, Files.getFileStore(volume.toAbsolutePath()).getUsableSpace());
  }

  private String size(long bytes) {
    return human ? Sizes.show(bytes) : Long.toString(bytes);
  }
}
