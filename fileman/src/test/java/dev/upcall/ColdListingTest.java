package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import dev.upcall.sim.DiskImage;
import dev.upcall.store.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listings of a store that has just been opened, so that nothing of them is in memory. */
class ColdListingTest {
  private static final int FILES = 120;

  /** Where a page of a tree says how far it is from the leaves. */
  private static final int LEVEL_OFFSET = 28;

  private FilesFixture fixture = FilesFixture.create(41);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aListingSaysOfEachEntryWhatStatSays() {
    List<String> names = files();
    List<FileInfo> listed = fixture.list("/d", 50);
    assertEquals(names, listed.stream().map(FileInfo::name).toList());
    for (FileInfo entry : listed) {
      assertEquals(fixture.stat("/d/" + entry.name()), entry);
    }
  }

  @Test
  void aListingIsWholeWhileOthersChangeAndReadMorePagesThanThereIsRoomFor() {
    List<String> names = files();
    List<Listing> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      fixture
          .files()
          .list(
              StorePath.of("/d"),
              i % 2 == 0 ? "" : name(i),
              80,
              answer -> answers.add(value(answer)));
    }
    List<Completion<BatchResult>> removed = new ArrayList<>();
    fixture
        .files()
        .batch(
            List.of(new FileRequest.Delete(StorePath.of("/d/" + name(7)))),
            Durability.SYNC,
            removed::add);
    fixture.world().runUntil(() -> answers.size() == 40 && removed.size() == 1);
    for (Listing answer : answers) {
      List<String> listed = answer.entries().stream().map(FileInfo::name).toList();
      int from = names.indexOf(listed.getFirst());
      List<String> expected = new ArrayList<>(names.subList(from, from + 80));
      if (!listed.equals(expected)) {
        expected = new ArrayList<>(names.subList(from, from + 81));
        expected.remove(name(7));
      }
      assertEquals(expected, listed);
    }
  }

  @Test
  void aPageThatIsReadAheadAndCannotBeIsMissedOnlyByWhoComesToIt() {
    List<String> names = files();
    int broken = breakLeavesWith(name(30));
    assertTrue(broken >= 2, "both copies of a leaf at least, not " + broken);
    Listing.Range first = new Listing.Range(Listing.Direction.ASCENDING, 16);
    Listing.Names found =
        fixture.get(port -> fixture.files().names(StorePath.of("/d"), first, port));
    assertEquals(names.subList(0, 16), found.names());
    Listing.Range all = new Listing.Range(Listing.Direction.ASCENDING, FILES);
    Completion<Listing.Names> refused =
        fixture.await(port -> fixture.files().names(StorePath.of("/d"), all, port));
    assertInstanceOf(
        Failure.Device.class, assertInstanceOf(Completion.Failed.class, refused).failure());
    fixture.world().closesUnchecked("blocks of it cannot be read");
  }

  /** Makes files, closes the store and opens it again; returns their names in order. */
  private List<String> files() {
    List<String> names = new ArrayList<>();
    fixture.batch(new FileRequest.CreateDirectory(StorePath.of("/d")));
    for (int i = 0; i < FILES; i++) {
      names.add(name(i));
    }
    // Neighbours by name are not neighbours by id.
    for (int i = 0; i < FILES; i++) {
      String path = "/d/" + name(i * 37 % FILES);
      fixture.batch(new FileRequest.CreateDirectory(StorePath.of(path)));
    }
    fixture = fixture.reopen();
    return names;
  }

  private static <T> T value(Completion<T> completion) {
    if (completion instanceof Completion.Done<T>(T value)) {
      return value;
    }
    throw new AssertionError(completion);
  }

  private static String name(int number) {
    return "entry-%03d".formatted(number);
  }

  private int breakLeavesWith(String name) {
    DiskImage image = fixture.world().disk().contents();
    List<Long> blocks = new ArrayList<>();
    image.forEachWritten(
        block -> {
          byte[] bytes = image.read(block);
          boolean leaf = bytes[LEVEL_OFFSET] == 0 && bytes[LEVEL_OFFSET + 1] == 0;
          if (leaf && new String(bytes, StandardCharsets.ISO_8859_1).contains(name)) {
            blocks.add(block);
          }
        });
    blocks.forEach(fixture.world().disk()::breakBlock);
    return blocks.size();
  }
}
