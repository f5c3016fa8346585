package recipes;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Jobs that are done once each, by any number of workers, over restarts. */
public final class JobQueue {
  // begin
  private final Upcall store;

  JobQueue(Upcall store) {
    this.store = store;
    store.createDirectories("/jobs/ready");
    store.createDirectories("/jobs/taken");
    // Whoever had these is gone: there is one process to a store.
    store.forEach("/jobs/taken", job -> move("taken", "ready", job.name()));
  }

  void add(String name, String job) {
    store.writeString("/jobs/ready/" + name, job);
  }

  /** Takes the first job that nobody else has; renaming decides who gets it. */
  Optional<String> take() {
    while (true) {
      List<FileInfo> first = store.list("/jobs/ready", 1).entries();
      if (first.isEmpty()) {
        return Optional.empty();
      }
      String name = first.getFirst().name();
      if (move("ready", "taken", name)) {
        return Optional.of(name);
      }
    }
  }

  void done(String name) {
    store.delete("/jobs/taken/" + name);
  }

  private boolean move(String from, String to, String name) {
    try {
      store.rename("/jobs/" + from + "/" + name, "/jobs/" + to + "/" + name);
      return true;
    } catch (UpcallException.NotFound taken) {
      return false; // somebody was quicker
    }
  }

  // end

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    ConcurrentSkipListSet<String> done = new ConcurrentSkipListSet<>();
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      JobQueue jobs = new JobQueue(store);
      for (int job = 0; job < 20; job++) {
        jobs.add("%04d".formatted(job), "resize picture " + job);
      }
      try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int worker = 0; worker < 4; worker++) {
          workers.execute(() -> work(jobs, done));
        }
      }
      System.out.println(done.size() + " jobs done, left: " + new JobQueue(store).take());
    }
  }

  private static void work(JobQueue jobs, ConcurrentSkipListSet<String> done) {
    for (Optional<String> job = jobs.take(); job.isPresent(); job = jobs.take()) {
      if (!done.add(job.get())) {
        System.out.println(job.get() + " was done twice");
      }
      jobs.done(job.get());
    }
  }
}
