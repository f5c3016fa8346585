/** Does the requests of a queue on a store, and writes what a store does into files. */
module dev.upcall.feed {
  requires static transitive org.jspecify;
  requires transitive dev.upcall.fileman;
  requires transitive dev.upcall.journal;

  exports dev.upcall.feed;
  exports dev.upcall.feed.answer;
}
