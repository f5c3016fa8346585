package dev.upcall.request.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileContent;
import dev.upcall.StorePath;
import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests of all kinds come back from their bytes; other bytes are refused. */
class RequestCodecTest {
  /** A kind that has no sample would be a kind that nobody has tried. */
  @Test
  void samples_holdEachKind() {
    Set<Class<?>> kinds = new LinkedHashSet<>();
    SampleRequests.all().forEach(request -> kinds.add(request.getClass()));
    Set<Class<?>> all = new LinkedHashSet<>(Set.of(FileRequest.class.getPermittedSubclasses()));
    all.remove(TableRequest.class);
    all.addAll(Set.of(TableRequest.class.getPermittedSubclasses()));
    assertEquals(all, kinds);
    Set<Class<?>> submissions = new LinkedHashSet<>();
    SampleRequests.submissions().forEach(each -> submissions.add(each.getClass()));
    assertEquals(Set.of(Submission.class.getPermittedSubclasses()), submissions);
  }

  @Test
  void encode_form_isFixed() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    SampleRequests.submissions().forEach(each -> all.writeBytes(RequestEncoder.encode(each)));
    Golden.check("submissions-1", all.toByteArray());
  }

  @Test
  void decode_eachKind_comesBack() {
    for (Submission submission : SampleRequests.submissions()) {
      byte[] bytes = RequestEncoder.encode(submission);
      Submission back = RequestDecoder.decode(ByteBuffer.wrap(bytes));
      assertEquals(text(submission), text(back));
      assertEquals(submission.contentBytes(), back.contentBytes());
      assertArrayEquals(bytes, RequestEncoder.encode(back));
    }
  }

  /** Records with arrays are equal by identity, and print them so. */
  private static String text(Submission submission) {
    return submission.toString().replaceAll("\\[B@[0-9a-f]+", "bytes");
  }

  @Test
  void decode_contentThatFollows_endsWhereItBegins() {
    Submission large =
        Submission.of(new FileRequest.Put("/large", new FileContent.Following(1000)));
    byte[] head = RequestEncoder.encode(large);
    ByteBuffer first = ByteBuffer.wrap(Arrays.copyOf(head, head.length + 999));
    Submission back = RequestDecoder.decode(first);
    assertEquals(large, back);
    assertEquals(1000, back.followingBytes());
    assertEquals(head.length, first.position());
    byte[] whole = Arrays.copyOf(head, head.length + 1000);
    Submission small = RequestDecoder.decode(ByteBuffer.wrap(whole));
    assertEquals(0, small.followingBytes());
    assertEquals(1000, small.contentBytes());
    assertArrayEquals(whole, RequestEncoder.encode(small));
  }

  @Test
  void submissions_thatCannotBe_areRefused() {
    FileRequest following = new FileRequest.Put("/a", new FileContent.Following(1));
    FileRequest delete = new FileRequest.Delete("/a");
    assertThrows(IllegalArgumentException.class, Submission::of);
    assertThrows(IllegalArgumentException.class, () -> Submission.of(following, delete));
    List<FileRequest> many = Collections.nCopies(Submission.MAX_REQUESTS + 1, delete);
    assertThrows(IllegalArgumentException.class, () -> new Submission.Changes(many));
    StorePath path = StorePath.of("/a");
    assertThrows(IllegalArgumentException.class, () -> new Submission.Write(path, -1, new byte[0]));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Submission.Write(path, FileRequest.MAX_FILE_BYTES, new byte[1]));
    Submission half = Submission.of(new FileRequest.RemoveProperty("\ud800"));
    assertThrows(IllegalArgumentException.class, () -> RequestEncoder.encode(half));
  }

  @Test
  void decode_otherBytes_areRefused() {
    byte[] delete = RequestEncoder.encode(Submission.of(new FileRequest.Delete("/a")));
    refused(new byte[0]);
    refused(new byte[] {1});
    refused(new byte[] {1, 99});
    refused(with(delete, 0, 2));
    refused(Arrays.copyOf(delete, delete.length - 1));
    refused(Arrays.copyOf(delete, delete.length + 1));
    refused(with(delete, 3, 'b'));
    refused(with(delete, 4, 0));
    refused(with(delete, 4, 0xff));
    refused(with(delete, 5, 3));
    refused(with(delete, 5, 64));
    // A number in two bytes where one does.
    refused(new byte[] {1, 4, (byte) 0x82, 0, '/', 'a', 0});
    // Batches of none and of one, and one in another.
    refused(new byte[] {1, 15, 0});
    refused(new byte[] {1, 15, 1, 4, 2, '/', 'a', 0});
    refused(new byte[] {1, 15, 2, 15, 2, 4, 2, '/', 'a', 0});
  }

  @Test
  void decode_damagedBytes_areSubmissionsOrRefused() {
    List<byte[]> seeds = new ArrayList<>();
    SampleRequests.submissions().forEach(each -> seeds.add(RequestEncoder.encode(each)));
    // Classes that the first refusal of a request loads are no garbage of a decoder.
    refused(new byte[] {1, 19, 2, '/', 't', 0, (byte) 0x80, 118});
    Mutator mutator = new Mutator(17, 700, seeds);
    mutator.run(
        40_000,
        bytes -> {
          ByteBuffer from = ByteBuffer.wrap(bytes);
          Submission submission = RequestDecoder.decode(from);
          byte[] again = RequestEncoder.encode(submission);
          assertEquals(from.position(), again.length);
          assertArrayEquals(Arrays.copyOf(bytes, from.position()), again);
        });
    assertTrue(mutator.accepted() > 1000, () -> mutator.accepted() + " taken");
    assertTrue(mutator.refused() > 1000, () -> mutator.refused() + " refused");
  }

  private static void refused(byte[] bytes) {
    assertThrows(
        IllegalArgumentException.class,
        () -> RequestDecoder.decode(ByteBuffer.wrap(bytes)),
        () -> Arrays.toString(bytes));
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] changed = bytes.clone();
    changed[at] = (byte) value;
    return changed;
  }
}
