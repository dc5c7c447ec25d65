// The tables in which handlers keep how far they are: three of Bifold's own (system-tables.ts makes them).

/**
 * Records are in partitions, so that processes share them: each is held by one process at a time. Changing the number loses
 * what is kept.
 */
const partitionCount = 8

export const allPartitions: readonly number[] = Array.from({ length: partitionCount }, (_, index) => index)

/** Behind a name: of which partition it is. */
export const partitionMark = (partition: number): string => `/${partition}`

/** How far each handler is in the log, by partition. */
export const handlerTable = {
  name: "bifold_handler",
  columns: {
    /** The handler's, with the mark of the partition. Without it: where all partitions began, as it was kept before there were any. */
    name: "name",
    /** Everything before it is done, and so is what stands there, but for what is kept in the next table. */
    position: "position",
    /**
     * The place in the log: the epoch with the position (`epoch_position`). Of another position, or none, where a version that
     * keeps no places has moved it.
     */
    place: "place",
  },
} as const

/** The records of which something failed: a handler goes on without them, and they have a position of their own. */
export const handlerRecordTable = {
  name: "bifold_handler_record",
  columns: {
    handler: "handler",
    /** The record's public id. */
    record: "record",
    /** Where it goes on: the position of the event that failed, or behind the last that was done. */
    position: "position",
    /** How often that event has been tried. */
    attempts: "attempts",
    /** When it is tried again, in milliseconds since 1970; none where that is left to people. */
    due: "due",
    /** The last error. */
    error: "error",
    /** A pending command: `retry` or `skip`. */
    asked: "asked",
  },
} as const

/** Leases of partitions, and of processes that take part: the process, and the end of the lease. */
export const leaseTable = {
  name: "bifold_lease",
  columns: {
    name: "name",
    /** A name that the process made for itself. */
    holder: "holder",
    /** Milliseconds since 1970, of the database's clock. */
    until: "until",
  },
} as const
