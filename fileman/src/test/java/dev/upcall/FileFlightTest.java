package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Flight;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.io.IoClass;
import dev.upcall.request.FileRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests in the flight recorder, each with one id from the call to the device. */
class FileFlightTest {
  private FilesFixture fixture = FilesFixture.create(1);
  private long from;

  @AfterEach
  void close() {
    fixture.close();
  }

  private Dispatcher dispatcher() {
    return fixture.world().dispatcher();
  }

  /** What is looked at begins here. */
  private void look() {
    dispatcher().turn(false);
    dispatcher().recorder().serve(FlightRecorder.NOBODY);
    from = dispatcher().recorder().ring().published();
  }

  private List<FlightRecord> flight() {
    dispatcher().turn(false);
    List<FlightRecord> all = Flight.of(dispatcher());
    long first = dispatcher().recorder().ring().published() - all.size();
    return all.subList((int) Math.max(0, from - first), all.size());
  }

  private List<FlightRecord> of(RecordKind kind, String name) {
    List<String> names = dispatcher().recorder().names();
    return flight().stream()
        .filter(one -> one.kind() == kind && names.get(one.name()).equals(name))
        .toList();
  }

  private static Set<Long> requests(List<FlightRecord> records) {
    Set<Long> requests = new HashSet<>();
    records.forEach(one -> requests.add(one.request()));
    return requests;
  }

  private void create(String path, List<Completion<?>> told) {
    FileRequest put =
        new FileRequest.Put(
            StorePath.of(path), new FileContent.Bytes(new byte[3000]), PutOptions.DEFAULT);
    fixture.files().change(put, (Completion<Optional<FileInfo>> done) -> told.add(done));
  }

  @Test
  void createsThatShareALogBatchAreJoinedToItsFirst() {
    List<Completion<?>> told = new ArrayList<>();
    look();
    create("/a", told);
    create("/b", told);
    create("/c", told);
    fixture.world().runUntil(() -> told.size() == 3);
    List<FlightRecord> begun = of(RecordKind.REQUEST, "BATCH");
    assertEquals(3, requests(begun).size(), begun::toString);
    assertEquals(requests(begun), requests(of(RecordKind.COMPLETION, "BATCH")));
    assertEquals(requests(begun), requests(of(RecordKind.TRANSITION, "Change")));
    assertEquals(requests(begun), requests(of(RecordKind.TRANSITION, "Batch")));
    List<FlightRecord> writes = of(RecordKind.DISK_REQUEST, "DURABLE_WRITE");
    assertEquals(requests(writes), requests(of(RecordKind.DISK_COMPLETION, "DURABLE_WRITE")));
    Set<Long> served = requests(writes);
    of(RecordKind.JOIN, "group commit").forEach(join -> served.add(join.number()));
    assertEquals(requests(begun), served);
    assertEquals(
        1,
        of(RecordKind.JOIN, "group commit").stream().map(FlightRecord::request).distinct().count());
  }

  @Test
  void aColdReadHasOneIdThroughPagesLoadsAndDisk() {
    List<Completion<?>> told = new ArrayList<>();
    create("/a", told);
    fixture.world().runUntil(() -> told.size() == 1);
    fixture.<Unit>get(port -> fixture.files().store().checkpoint(port));
    fixture = fixture.reopen();
    look();
    FlightRecorder recorder = dispatcher().recorder();
    long request = recorder.begin(recorder.name("GET"), recorder.name("test"));
    List<ContentSlice> slices = new ArrayList<>();
    fixture
        .files()
        .openRead(
            StorePath.of("/a"),
            FilesFixture.OWNER,
            opened -> {
              OpenFile file = ((Completion.Done<OpenFile>) opened).value();
              file.content()
                  .read(
                      0,
                      3000,
                      IoClass.FOREGROUND_READ,
                      read -> {
                        slices.add(((Completion.Done<ContentSlice>) read).value());
                        file.close();
                      });
            });
    recorder.serve(FlightRecorder.NOBODY);
    fixture.world().runUntil(() -> slices.size() == 1);
    slices.forEach(ContentSlice::release);
    List<FlightRecord> reads = of(RecordKind.DISK_REQUEST, "READ");
    assertFalse(reads.isEmpty());
    assertEquals(Set.of(request), requests(reads));
    assertEquals(Set.of(request), requests(of(RecordKind.DISK_COMPLETION, "READ")));
    assertEquals(Set.of(request), requests(of(RecordKind.TRANSITION, "ReadRequest")));
    assertEquals(Set.of(request), requests(of(RecordKind.REQUEST, "OPEN_READ")));
    assertEquals(Set.of(request), requests(of(RecordKind.COMPLETION, "OPEN_READ")));
  }

  @Test
  void aCheckpointHasAnIdOfItsOwnSort() {
    List<Completion<?>> told = new ArrayList<>();
    create("/a", told);
    fixture.world().runUntil(() -> told.size() == 1);
    look();
    fixture.<Unit>get(port -> fixture.files().store().checkpoint(port));
    Set<Long> checkpoints = requests(of(RecordKind.TRANSITION, "Checkpoint"));
    assertEquals(1, checkpoints.size());
    assertTrue(FlightRecord.isBackground(checkpoints.iterator().next()));
    assertEquals(checkpoints, requests(of(RecordKind.REQUEST, "checkpoint")));
    Set<Long> writing = requests(of(RecordKind.DISK_REQUEST, "WRITE"));
    assertEquals(
        checkpoints, writing, () -> String.join("\n", dispatcher().recorder().lastLines()));
  }
}
