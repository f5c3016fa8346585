package dev.upcall.specweb.load;

/**
 * What the workers of one loop share.
 *
 * @param loop their thread
 * @param requester sends their requests
 * @param recorder counts them
 */
public record LoadContext(LoadLoop loop, Requester requester, Recorder recorder) {}
