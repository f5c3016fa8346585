package dev.upcall.httpd.blocking;

import dev.upcall.base.Clock;
import dev.upcall.httpd.HttpConfig;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all conversations of one server share.
 *
 * @param config the limits
 * @param clock the time
 * @param site what is served
 * @param changes its writing half, or null if nothing may be changed
 * @param counters are counted up
 * @param budget what all may hold together
 * @param shares what each address has
 * @param closing whether responses begun from now on must be the last of their connections
 */
record ServerContext(
    HttpConfig config,
    Clock clock,
    BlockingSite site,
    BlockingSite.@Nullable Changes changes,
    SharedCounters counters,
    SendBudget budget,
    AddressShares shares,
    BooleanSupplier closing) {}
