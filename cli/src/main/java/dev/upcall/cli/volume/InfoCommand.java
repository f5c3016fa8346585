package dev.upcall.cli.volume;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.base.Printable;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.shell.LentStore;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.cli.store.StoreCommand;
import dev.upcall.cli.store.StoreSharing;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.server.SocketKind;
import dev.upcall.io.Disk;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.StoreInfo;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.volume.SuperblockCodec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code upcall info}. */
@Command(
    name = "info",
    description = {
      "Show what a store is: its size and what it may grow to, its format and engine, what"
          + " transfers for its disk and sockets, its snapshots and what they hold, and which"
          + " process has it open, since when.",
      "With --count also how much its files have, what compression and sharing save of it, what the"
          + " volume holds, and what its tables have.",
    })
public final class InfoCommand extends StoreCommand.Looking {
  private static final int FRONT_SUPERBLOCKS = 2;

  @Option(
      names = "--count",
      description = "Count what files take and save: walks over all metadata, as verify does.")
  boolean count;

  private final StoreSharing.Commands commands;

  /**
   * The command.
   *
   * @param commands runs those that others ask for while it counts
   */
  public InfoCommand(Shell shell, StoreSharing.Commands commands) {
    super(shell);
    this.commands = commands;
  }

  @Override
  protected StoreSharing.Sharing share(Upcall store, Path volume) {
    return count
        ? StoreSharing.share(store, StoreFiles.of(volume), shell, commands)
        : super.share(store, volume);
  }

  /**
   * What is shown.
   *
   * @param formatVersion null when the first superblocks cannot be read
   * @param sockets what carries those of its server; null when it is not served
   * @param snapshots null where the engine has none
   * @param owner null when no other process has the store open
   * @param counted null unless it was asked for
   */
  private record Shown(
      Path volume,
      StoreInfo store,
      UpcallConfig config,
      @Nullable Integer formatVersion,
      @Nullable SocketKind sockets,
      @Nullable NamedSnapshotList snapshots,
      LentStore.@Nullable Owner owner,
      @Nullable VerifyReport counted) {
    /** Why its owner takes no changes, or empty; this command itself opens none to change it. */
    String readOnlyReason() {
      return owner == null ? "" : store.readOnlyReason();
    }
  }

  @Override
  protected int run(Upcall store) throws IOException {
    Path volume = access.find(shell).toAbsolutePath().normalize();
    boolean machines = store.config().engine() == Engine.FSM;
    LentStore lent = shell.lent();
    VerifyReport counted = count ? counted(store) : null;
    Shown shown =
        new Shown(
            volume,
            store.info(),
            store.config(),
            formatVersion(StoreAccess.files(volume, shell).volume()),
            lent == null || !lent.owner().command().equals("serve") ? null : sockets(store),
            machines ? store.fsm().snapshots() : null,
            lent == null ? null : lent.owner(),
            counted);
    if (output.json) {
      Json.object(shell.out(), opening(), json -> write(json, shown));
    } else {
      print(shown);
    }
    return ExitCode.OK;
  }

  private VerifyReport counted(Upcall store) {
    VerifyReport report =
        switch (new StoreWalk(shell, "count").run(store, new VerifyOptions(false))) {
          case Completion.Done<VerifyReport>(VerifyReport done) -> done;
          case Completion.Failed<VerifyReport>(Failure failure) ->
              throw UpcallException.of(failure);
        };
    if (!report.isSound()) {
      throw CommandFailure.failed(
          "the store is damaged, so its sums are not right; upcall verify says what is wrong");
    }
    return report;
  }

  /** As it stands in the volume now; opening one for writing makes it the newest. */
  private static @Nullable Integer formatVersion(Path volume) throws IOException {
    try (FileChannel channel = FileChannel.open(volume)) {
      for (int copy = 0; copy < FRONT_SUPERBLOCKS; copy++) {
        ByteBuffer block = ByteBuffer.allocate(Disk.BLOCK_BYTES);
        channel.read(block, (long) copy * Disk.BLOCK_BYTES);
        if (SuperblockCodec.decode(block, copy)
            instanceof SuperblockCodec.Found.Valid(var _, int version)) {
          return version;
        }
      }
    }
    return null;
  }

  private static SocketKind sockets(Upcall store) {
    return store.config().engine() == Engine.FSM
            && store.fsm().reactor() instanceof NettyReactor reactor
        ? SocketKind.of(reactor)
        : SocketKind.THREADS;
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void write(JsonGenerator json, Shown shown) throws IOException {
    StoreInfo store = shown.store();
    json.writeStringField("store", shown.volume().toString());
    json.writeNumberField("sizeBytes", store.sizeBytes());
    json.writeNumberField("capBytes", store.capBytes());
    json.writeNumberField("freeBytes", store.freeBytes());
    json.writeNumberField("unplacedBytes", store.unplacedBytes());
    Integer version = shown.formatVersion();
    if (version != null) {
      json.writeNumberField("formatVersion", version);
    }
    json.writeStringField("engine", lower(shown.config().engine()));
    json.writeStringField("disk", lower(store.disk()));
    SocketKind sockets = shown.sockets();
    if (sockets != null) {
      json.writeStringField("sockets", lower(sockets));
    }
    json.writeBooleanField("encrypted", shown.config().drive().key().isPresent());
    json.writeNumberField("memoryBytes", shown.config().memoryBytes());
    json.writeNumberField("scn", store.scn());
    json.writeNumberField("durableScn", store.durableScn());
    json.writeStringField("readOnlyReason", shown.readOnlyReason());
    NamedSnapshotList snapshots = shown.snapshots();
    if (snapshots != null) {
      SnapshotListCommand.write(json, snapshots);
    }
    VerifyReport counted = shown.counted();
    if (counted != null) {
      json.writeNumberField("countedScn", counted.scn());
      SpaceText.write(json, counted);
    }
    LentStore.Owner owner = shown.owner();
    if (owner == null) {
      json.writeNullField("owner");
      return;
    }
    json.writeObjectFieldStart("owner");
    json.writeNumberField("process", owner.process());
    json.writeStringField("command", owner.command());
    json.writeStringField("since", owner.since().toString());
    json.writeEndObject();
  }

  private void print(Shown shown) {
    PrintStream out = shell.out();
    StoreInfo store = shown.store();
    out.println("store:      " + Printable.of(shown.volume().toString()));
    out.println("size:       " + bytes(store.sizeBytes()));
    out.println("cap:        " + bytes(store.capBytes()));
    out.println("free:       " + bytes(store.freeBytes()) + " inside its size");
    out.println("unplaced:   " + bytes(store.unplacedBytes()));
    Integer version = shown.formatVersion();
    out.println("format:     " + (version == null ? "its first superblocks are damaged" : version));
    out.println("engine:     " + lower(shown.config().engine()));
    out.println("disk:       " + lower(store.disk()));
    SocketKind sockets = shown.sockets();
    if (sockets != null) {
      out.println("sockets:    " + lower(sockets));
    }
    out.println("encrypted:  " + (shown.config().drive().key().isPresent() ? "yes" : "no"));
    out.println("memory:     " + bytes(shown.config().memoryBytes()));
    if (!shown.readOnlyReason().isEmpty()) {
      out.println("read-only:  " + Printable.of(shown.readOnlyReason()));
    }
    NamedSnapshotList snapshots = shown.snapshots();
    if (snapshots == null) {
      out.println("snapshots:  not with this engine");
    } else {
      List<NamedSnapshot> all = snapshots.snapshots();
      out.println("snapshots:  " + all.size() + ", which hold " + bytes(snapshots.heldBytes()));
      for (NamedSnapshot one : all) {
        out.println(
            "  %s, alone %s: %s"
                .formatted(
                    Json.time(one.createdNanos()),
                    bytes(one.exclusiveBytes()),
                    Printable.of(one.name())));
      }
    }
    LentStore.Owner owner = shown.owner();
    out.println(
        "owner:      "
            + (owner == null
                ? "no other process"
                : Printable.of(owner.name()) + ", since " + owner.since()));
    VerifyReport counted = shown.counted();
    if (counted != null) {
      out.println("counted:    as of change " + counted.scn());
      out.println(SpaceText.lines(counted));
    }
  }

  private static String bytes(long count) {
    return count + " (" + Sizes.show(count) + ")";
  }
}
