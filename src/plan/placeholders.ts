// Marks in an answer's text. JSON text never holds a raw control character (RFC 8259 section 7), so these cannot
// come from data. The statement writes them, the engine or a face replaces them.

/**
 * Begins a cursor: `BEGIN index json END`, index into `Statement.cursors`, json the array of the order's values. Or a
 * secret: `BEGIN s slot END`, slot into the plan's values.
 */
export const cursorBegin = "\u0001"
export const cursorEnd = "\u0002"
/** The beginning of a secret's mark, as no index has it. */
export const secretPlaceholder = "s"

/** Prefix of the placeholder of a field computed by user code: `BEGIN c resource.field json END`. */
export const computedPlaceholder = "c"

/**
 * Prefix of the placeholder of changes of an older version's record: `BEGIN f resource json END`. A created record has `+`
 * after its resource, a deleted one `-`.
 */
export const formerPlaceholder = "f"

/** Before the name of a field that former fields come from; no name has it. */
export const formerSource = "~"

/** Before the name of a former field whose own value the log holds. */
export const formerLogged = "~~"

/** Stands for a stored value that its declaration rules out; the text is not JSON until it is replaced. */
export const unrepresentable = "\u0003"

/** Around the number of a failure: `Answer.failures`. */
export const failed = "\u0004"

export const failurePlaceholders = new RegExp(`${failed}(\\d+)${failed}`, "g")

/** The text as JSON. A string that begins with `stand` is in each mark's place, with the number of a failure behind it. */
export const markedJson = (text: string, stand: string): string =>
  text
    .replaceAll(unrepresentable, JSON.stringify(stand))
    .replace(failurePlaceholders, (_, number: string) => JSON.stringify(stand + number))

/** Around the members of the caller's limits: JSON of pairs of output key and name. */
export const allowancePlaceholder = "\u0005"
