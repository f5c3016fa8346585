package dev.upcall.io.volume;

import dev.upcall.base.HostWords;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Reactor;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Opens and creates volumes. What blocks runs on a helper thread; the disk arrives as a completion,
 * locked and fenced.
 *
 * <p>Failures: {@code NotFound}, {@code AlreadyExists} (creating), {@code Conflict} (another
 * process, or another store of this one, has it open), {@code Invalid} (neither a regular file nor
 * a block device; not whole blocks), {@code VolumeFull} (creating), {@code Device} (the operating
 * system's words). A volume that cannot be opened is left as it was.
 */
public final class Volumes {
  private Volumes() {}

  /**
   * Opens, or creates, a volume.
   *
   * @param reactor the dispatcher's reactor; its ring carries the disk if it has one
   */
  public static void open(
      VolumeSpec spec, Dispatcher dispatcher, Reactor reactor, CompletionPort<Disk> port) {
    open(spec, dispatcher, reactor, ResultFilter.NONE, port);
  }

  static void open(
      VolumeSpec spec,
      Dispatcher dispatcher,
      Reactor reactor,
      ResultFilter filter,
      CompletionPort<Disk> port) {
    dispatcher.checkOwner();
    String noRing = whyNoRing(reactor);
    if (spec.kind() == DiskKind.RING && noRing != null) {
      dispatcher.complete(
          port,
          Completion.failed(
              new Failure.Device(
                  "opening " + spec.name(),
                  "io_uring was asked for and is not available: " + noRing)));
      return;
    }
    boolean ring = noRing == null && spec.kind() != DiskKind.CHANNEL;
    HelperThread.run(
        dispatcher,
        "open " + spec.name(),
        () -> prepare(spec, ring, ring ? null : noRing, filter),
        (Completion<Prepared> prepared) ->
            port.complete(
                switch (prepared) {
                  case Completion.Failed<Prepared> failed -> failed.cast();
                  case Completion.Done<Prepared>(Prepared volume) -> {
                    boolean assembled = false;
                    try {
                      Disk disk = assemble(volume, spec, dispatcher, reactor, filter);
                      assembled = true;
                      yield Completion.done(disk);
                    } finally {
                      if (!assembled) {
                        volume.close();
                      }
                    }
                  }
                }),
        unheard -> {
          if (unheard instanceof Completion.Done<Prepared>(Prepared volume)) {
            volume.close();
          }
        });
  }

  /**
   * Opens, or creates, a volume for threads that wait for their own I/O. May block. The size of the
   * pool and the limit of what is in flight mean nothing here.
   */
  public static Completion<BlockDevice> openDevice(VolumeSpec spec) {
    return switch (prepare(spec, /* ring= */ false, /* noRing= */ null, ResultFilter.NONE)) {
      case Completion.Failed<Prepared> failed -> failed.cast();
      case Completion.Done<Prepared>(Prepared prepared) ->
          Completion.done(Invariants.present(prepared.device(), "a device"));
    };
  }

  /** An opened volume and, for a channel disk, its device. */
  private record Prepared(OpenVolume volume, @Nullable ChannelDevice device) {
    void close() {
      if (device == null) {
        volume.close();
      } else {
        device.close();
      }
    }
  }

  private static Completion<Prepared> prepare(
      VolumeSpec spec, boolean ring, @Nullable String noRing, ResultFilter filter) {
    VolumeClaim claim = spec.claim();
    Completion<OpenVolume> opened =
        claim == null ? new VolumeOpener(spec).open() : Completion.done(claim.take());
    if (opened instanceof Completion.Failed<OpenVolume> failed) {
      return failed.cast();
    }
    OpenVolume volume = ((Completion.Done<OpenVolume>) opened).value();
    // A file that is made is opened once more under its own name: it is said then.
    boolean quiet = spec.createBlocks() > 0;
    if (!quiet && !volume.access().direct()) {
      log()
          .log(Level.WARNING, "{0}: no direct I/O here, going through the page cache", spec.name());
    }
    if (ring) {
      return Completion.done(new Prepared(volume, null));
    }
    if (!quiet && spec.kind() == DiskKind.AUTO && noRing != null) {
      log()
          .log(
              Level.WARNING,
              "{0}: using {1} threads for the disk, since io_uring is not available: {2}",
              spec.name(),
              spec.poolThreads(),
              noRing);
    }
    try {
      return Completion.done(new Prepared(volume, ChannelDevice.open(volume, filter)));
    } catch (IOException error) {
      volume.close();
      return Completion.failed(new Failure.Device("opening " + spec.name(), HostWords.of(error)));
    }
  }

  private static Disk assemble(
      Prepared prepared,
      VolumeSpec spec,
      Dispatcher dispatcher,
      Reactor reactor,
      ResultFilter filter) {
    ChannelDevice device = prepared.device();
    if (device != null) {
      return ChannelDisk.over(prepared.volume(), dispatcher, device, spec.poolThreads());
    }
    Invariants.check(reactor instanceof NettyReactor, "no ring");
    return new RingDisk(
        prepared.volume(),
        dispatcher,
        (NettyReactor) reactor,
        new RingDisk.Settings(spec.inFlightLimit(), filter));
  }

  private static @Nullable String whyNoRing(Reactor reactor) {
    if (reactor instanceof NettyReactor netty) {
      return netty.noRing();
    }
    return "the dispatcher does not run on Netty's loop";
  }

  /** Looked up where there is something to say: the first look-up of a JVM takes a while. */
  private static System.Logger log() {
    return System.getLogger(Volumes.class.getName());
  }
}
