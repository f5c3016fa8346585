package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.ServerCertificate;
import dev.upcall.bench.entrant.ServerEntrant;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.entrant.Wrk;
import dev.upcall.bench.experiment.HttpExperiment.Site;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.job.Blocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A server that faces a network, on one core: warm GETs over TLS 1.3, against nginx; the same with
 * access rules and a log, against our server without them; and where the kernel refuses io_uring,
 * warm GETs over few and many connections and durable creates, against the same with it.
 */
public final class NetworkExperiment implements Experiment {
  private static final int CONNECTIONS = 64;
  private static final int CREATES = 64;
  private static final int RULES = 1_000;
  private static final double TLS_AIM = 0.9;
  private static final double HANDSHAKE_AIM = 0.8;
  private static final double GUARDED_AIM = 0.97;
  private static final double REFUSED_AIM = 0.7;

  @Override
  public String name() {
    return "network";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException, InterruptedException {
    int files = (int) lab.settings().either(10, 200);
    int largeFiles = (int) lab.settings().either(2, 20);
    Site small = Site.of(lab, "network-8k", files, HttpExperiment.SMALL_BYTES);
    Site large = Site.of(lab, "network-1m", largeFiles, HttpExperiment.LARGE_BYTES);
    Wrk smallGets = Wrk.gets(lab, CONNECTIONS, small.paths());
    Wrk largeGets = Wrk.gets(lab, HttpExperiment.FEW_CONNECTIONS, large.paths());
    int many = (int) lab.settings().either(200, 10_000);
    ServerCertificate certificate = ServerCertificate.make(lab);
    return List.of(
        compare(
            "TLS 1.3, GET of 8 KiB, warm, %d connections, one core".formatted(CONNECTIONS),
            TLS_AIM,
            secure(small, smallGets, certificate)),
        compare(
            "TLS 1.3, GET of 1 MiB, warm, %d connections, one core"
                .formatted(HttpExperiment.FEW_CONNECTIONS),
            TLS_AIM,
            secure(large, largeGets, certificate)),
        compare(
            "TLS 1.3, a handshake (P-256) and a GET of 8 KiB, %d at once, one core"
                .formatted(CONNECTIONS),
            HANDSHAKE_AIM,
            secure(small, Wrk.single(lab, CONNECTIONS, small.paths()), certificate)),
        compare(
            "%,d access rules and the access log, GET of 8 KiB, warm, %d connections, one core"
                .formatted(RULES, CONNECTIONS),
            GUARDED_AIM,
            beside(small, smallGets, guarded(lab, small))),
        refused(small, smallGets, "8 KiB"),
        refused(large, largeGets, "1 MiB"),
        refused(small, Wrk.gets(lab, many, small.paths()), "8 KiB"),
        refusedCreates(lab));
  }

  private Comparison compare(String title, double aim, List<Entrant> entrants) {
    return new Comparison(name(), title, Figure.perCpuSecond("requests").aimingAt(aim), entrants);
  }

  /** Ours with BoringSSL, nginx, ours with the JDK's engine. */
  private static List<Entrant> secure(Site site, Wrk load, ServerCertificate certificate) {
    Server jdk = Server.upcallTls(site.folder(), certificate, "jdk");
    return List.of(
        site.by(Server.upcallTls(site.folder(), certificate, "boringssl"), load),
        site.by(Server.nginxTls(site.folder(), certificate), load),
        site.by(new Server(jdk.name(), Role.PEER, jdk), load));
  }

  /** Each sample has new ones: what the compiler made of two would differ by more than is asked. */
  private static List<Entrant> beside(Site site, Wrk load, Server guarded) {
    Server plain = Server.upcall(site.folder(), List.of());
    return List.of(
        ServerEntrant.fresh(
            new Server("upcall, rules and log", Role.OURS, guarded),
            load,
            site.folder(),
            site.paths()),
        ServerEntrant.fresh(
            new Server("upcall", Role.PEER, plain), load, site.folder(), site.paths()));
  }

  private Comparison refused(Site site, Wrk load, String size) {
    return compare(
        "io_uring refused, GET of %s, warm, %,d connections, one core"
            .formatted(size, load.connections()),
        REFUSED_AIM,
        List.of(
            site.by(Server.upcallWithoutRing(site.folder()), load),
            site.by(
                new Server("upcall", Role.PEER, Server.upcall(site.folder(), List.of())), load)));
  }

  private Comparison refusedCreates(Lab lab) {
    return new Comparison(
        name(),
        "io_uring refused, create of 4 KiB, durable, %d outstanding".formatted(CREATES),
        Figure.perSecond("creates").aimingAt(REFUSED_AIM),
        List.of(
            WorkerEntrant.withoutRing(
                "upcall without io_uring", Role.OURS, "create", creation(lab, "refused")),
            WorkerEntrant.of("upcall", Role.PEER, "create", creation(lab, "allowed"))));
  }

  private static Map<String, ?> creation(Lab lab, String name) {
    Path volume = lab.scratch().resolve("network-%s.upcall".formatted(name));
    return Inputs.creation(lab, volume, "AUTO", new Inputs.Creation(CREATES, 1, Blocks.BYTES));
  }

  /** The load's paths fall to the last rule. */
  private static Server guarded(Lab lab, Site site) throws IOException {
    Path folder = Files.createTempDirectory(lab.scratch(), "guards-");
    List<String> rules = new ArrayList<>();
    for (int i = 1; i < RULES; i++) {
      rules.add("allow read,list /private/%d known".formatted(i));
    }
    rules.add("allow read,list / anyone");
    Path file = Files.write(folder.resolve("rules"), rules);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return Server.upcall(
        site.folder(), List.of("--access=" + file, "--access-log=" + folder.resolve("access.log")));
  }
}
