package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread pool, on a loop without a ring. */
class ChannelDiskBehaviourTest extends DiskBehaviour {
  @Override
  Machine machine(ResultFilter filter) {
    RealMachine machine = new RealMachine(NettyReactor.create(NettyReactor.Transport.NIO));
    VolumeSpec spec = VolumeSpec.create(machine.path("volume"), DiskKind.CHANNEL, SIZE_BLOCKS);
    return machine.with(spec, filter);
  }

  /** A call for each buffer would cost more than what it moves. */
  @Test
  void sixteenBuffersAreOneCall_butThoseOfAVirtualThreadWhereIoIsDirect(@TempDir Path folder)
      throws Exception {
    List<Integer> one = List.of(16 * BLOCK);
    OpenVolume volume = opened(folder);
    checkCalls(volume, volume.access().direct() ? Collections.nCopies(16, BLOCK) : one);
    OpenVolume again = opened(folder);
    OpenVolume cached =
        new OpenVolume(
            again.libC(),
            again.name(),
            again.fd(),
            again.lock(),
            again.sizeBytes(),
            new OpenVolume.Access(/* readOnly= */ false, /* direct= */ false, false));
    checkCalls(cached, one);
  }

  private static void checkCalls(OpenVolume volume, List<Integer> ofVirtualThread)
      throws Exception {
    List<Integer> moved = Collections.synchronizedList(new ArrayList<>());
    ChannelDevice device =
        ChannelDevice.open(
            volume,
            (_, result) -> {
              moved.add(result);
              return result;
            });
    List<ByteBuffer> content = new ArrayList<>();
    List<ByteBuffer> found = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      content.add(random(1, i));
      found.add(random(1, 99));
    }
    assertEquals(Completion.done(), device.perform(write(3, content)));
    assertEquals(List.of(16 * BLOCK), moved);
    moved.clear();
    Thread.ofVirtual().start(() -> device.perform(read(3, found))).join();
    assertEquals(ofVirtualThread, moved);
    assertEquals(content, found);
    device.close();
    Completion<Unit> late = device.perform(read(3, found));
    assertEquals(Completion.failed(new Failure.Closed(volume.name())), late);
  }

  private static OpenVolume opened(Path folder) throws Exception {
    Path path = folder.resolve("v");
    Files.write(path, new byte[SIZE_BLOCKS * BLOCK]);
    Completion<OpenVolume> opened =
        new VolumeOpener(VolumeSpec.existing(path, DiskKind.CHANNEL)).open();
    return ((Completion.Done<OpenVolume>) opened).value();
  }

  private static DiskRequest write(long block, List<ByteBuffer> from) {
    return new DiskRequest.Write(block, from, IoClass.BACKGROUND, _ -> {});
  }

  private static DiskRequest read(long block, List<ByteBuffer> into) {
    return new DiskRequest.Read(block, into, IoClass.BACKGROUND, _ -> {});
  }
}
