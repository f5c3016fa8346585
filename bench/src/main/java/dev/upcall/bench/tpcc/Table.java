package dev.upcall.bench.tpcc;

/** The tables by keys: eight tables of the specification, and two indexes. History is apart. */
enum Table {
  /** Key: warehouse. */
  WAREHOUSE,
  /** Key: warehouse, district. */
  DISTRICT,
  /** Key: warehouse, district, customer. */
  CUSTOMER,
  /** Key: warehouse, district, order; of orders that are not delivered. */
  NEW_ORDER,
  /** Key: warehouse, district, order. */
  ORDERS,
  /** Key: warehouse, district, order, line. */
  ORDER_LINE,
  /** Key: item. */
  ITEM,
  /** Key: warehouse, item. */
  STOCK,
  /** Index: warehouse, district, last name, first name, customer; without values. */
  CUSTOMER_BY_NAME,
  /** Index: warehouse, district, customer, order; without values. */
  ORDER_BY_CUSTOMER
}
