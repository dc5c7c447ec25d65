// The words for a record that does not exist, or that the caller cannot see.

/**
 * @param what the resource's name, or `record`
 * @param named the record's name in the request, with a space before
 */
export const notFoundText = (what: string, named = ""): string =>
  `${what.charAt(0).toUpperCase()}${what.slice(1)}${named} not found.`
