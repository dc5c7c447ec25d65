// Commands of hints, as a shell takes them.

/** One word of a command, in quotes where a shell would take it apart or make something else of it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
