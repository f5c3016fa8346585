package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.request.FileRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file manager whose thread has ended because an upcall failed. */
class DeadFileManagerTest {
  @Test
  void whatIsAskedLater_failsAtOnceWithTheCause() {
    FilesFixture fixture = FilesFixture.create(1);
    fixture
        .world()
        .dispatcher()
        .post(
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    assertThrows(OutOfMemoryError.class, () -> fixture.world().dispatcher().turn(false));
    List<Completion<?>> heard = new ArrayList<>();
    fixture.files().stat("/", LinkPolicy.FOLLOW, heard::add);
    fixture.files().list("/", "", 10, heard::add);
    fixture.files().open("/a", OpenMode.CREATE, heard::add);
    fixture.files().put("/a", PutOptions.DEFAULT, heard::add);
    fixture.files().change(new FileRequest.CreateDirectory("/d"), heard::add);
    assertEquals(5, heard.size());
    for (Completion<?> each : heard) {
      Failure failure = assertInstanceOf(Completion.Failed.class, each).failure();
      assertInstanceOf(Failure.Closed.class, failure);
      assertTrue(failure.message().contains("Java heap space"), failure::message);
    }
  }

  /** Each once, and the later ones, too, where one that hears throws. */
  @Test
  void whatWasAskedBefore_failsWithTheCause() {
    FilesFixture fixture = FilesFixture.create(1);
    fixture
        .world()
        .dispatcher()
        .post(
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    List<Completion<?>> heard = new ArrayList<>();
    fixture
        .files()
        .stat(
            "/",
            LinkPolicy.FOLLOW,
            completion -> {
              heard.add(completion);
              throw new IllegalStateException("a bug of the port's");
            });
    fixture.files().list("/", "", 10, heard::add);
    fixture.files().open("/a", OpenMode.CREATE, heard::add);
    fixture.files().change(new FileRequest.CreateDirectory("/d"), heard::add);
    fixture.files().flush(heard::add);
    assertThrows(OutOfMemoryError.class, () -> fixture.world().dispatcher().turn(false));
    assertEquals(5, heard.size(), heard::toString);
    for (Completion<?> each : heard) {
      Failure failure = assertInstanceOf(Completion.Failed.class, each).failure();
      assertInstanceOf(Failure.Closed.class, failure);
      assertTrue(failure.message().contains("Java heap space"), failure::message);
      assertTrue(failure.message().contains("not known"), failure::message);
    }
  }
}
