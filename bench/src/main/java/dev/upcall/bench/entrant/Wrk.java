package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.host.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A load of wrk: one thread, connections that have one request each at a time.
 *
 * @param connections how many
 * @param script what it asks for
 * @param core on which it runs
 */
public record Wrk(int connections, Path script, int core) {
  private static final long GRACE_SECONDS = 30;
  private static final int MOST_WARMING = 1000;
  private static final int CONNECTIONS_OF_A_SAMPLE = 2000;

  /**
   * wrk counts in whole seconds, but ends with its report when it is interrupted. An interrupt that
   * comes before it listens for one is ignored: it then runs its second.
   */
  private static final List<String> BRIEFLY =
      List.of("timeout", "--preserve-status", "--signal=INT", "0.4", "env", "--ignore-signal=INT");

  /** A load of GETs of paths, over and over in their order. */
  public static Wrk gets(Lab lab, int connections, List<String> paths) throws IOException {
    return gets(lab, connections, paths, "");
  }

  /** The same with a connection for each request. */
  public static Wrk single(Lab lab, int connections, List<String> paths) throws IOException {
    return gets(lab, connections, paths, "wrk.headers[\"Connection\"] = \"close\"");
  }

  private static Wrk gets(Lab lab, int connections, List<String> paths, String before)
      throws IOException {
    Path list = Files.createTempFile(lab.scratch(), "paths-", ".txt");
    Files.write(list, paths);
    return scripted(
        lab,
        connections,
        """
        local requests, at = {}, 0
        function init(args)
          %s
          for path in io.lines("%s") do requests[#requests + 1] = wrk.format("GET", path) end
        end
        function request()
          at = at %% #requests + 1
          return requests[at]
        end
        """
            .formatted(before, list));
  }

  /** The same, which counts the requests of each second. */
  public static Wrk counted(Lab lab, int connections, List<String> paths) throws IOException {
    Path list = Files.createTempFile(lab.scratch(), "paths-", ".txt");
    Files.write(list, paths);
    return scripted(
        lab,
        connections,
        """
        local ffi = require("ffi")
        ffi.cdef("typedef struct { long s, n; } instant; int clock_gettime(int, instant *);")
        local instant, begin, at, requests = ffi.new("instant"), nil, 0, {}
        local counts, threads = {}, {}
        function setup(thread) threads[#threads + 1] = thread end
        function init(args)
          for path in io.lines("%s") do requests[#requests + 1] = wrk.format("GET", path) end
          series = ""
        end
        function request()
          ffi.C.clock_gettime(1, instant)
          local now = tonumber(instant.s) + tonumber(instant.n) / 1e9
          begin = begin or now
          local second = math.floor(now - begin) + 1
          if second > #counts then
            series = table.concat(counts, " ")
            for i = #counts + 1, second do counts[i] = 0 end
          end
          counts[second] = counts[second] + 1
          at = at %% #requests + 1
          return requests[at]
        end
        function done() io.write("series " .. threads[1]:get("series") .. "\\n") end
        """
            .formatted(list));
  }

  /** A load of a script. */
  public static Wrk scripted(Lab lab, int connections, String script) throws IOException {
    Path file = Files.createTempFile(lab.scratch(), "load-", ".lua");
    Files.writeString(file, script);
    return new Wrk(connections, file, Cores.LOAD);
  }

  /** The same on another core. */
  public Wrk from(int otherCore) {
    return new Wrk(connections, script, otherCore);
  }

  /** The same for short rounds: with very many, those of the round before are closing still. */
  Wrk warming() {
    return new Wrk(Math.min(connections, MOST_WARMING), script, core);
  }

  /** How many times longer a sample is with many connections, so that each comes to its turn. */
  int stretch() {
    return Math.max(1, connections / CONNECTIONS_OF_A_SAMPLE);
  }

  /** Runs against a server of this machine; with tiny inputs for a part of a second. */
  WrkReport run(Lab lab, Server.Live server, int seconds) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(lab.settings().quick() ? BRIEFLY : List.of());
    command.addAll(
        List.of(
            Programs.require("wrk", "wrk"),
            "-t1",
            "-c" + connections,
            "-d" + seconds + "s",
            "--timeout=10s",
            "--latency",
            "-s",
            script.toString(),
            server.url()));
    return WrkReport.parse(lab.run("wrk", lab.cores().pin(core, command), seconds + GRACE_SECONDS));
  }
}
