/** Statements that a connection keeps; texts beyond these, such as generated ones, are parsed each time. */
const most = 500

/**
 * Gives each text a name, so that a connection parses and plans it once. Measured on PGlite: 0.08 ms of CPU for a read
 * by key instead of 0.18 ms, 0.18 ms for an insert instead of 0.26 ms.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()

  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= most) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}
