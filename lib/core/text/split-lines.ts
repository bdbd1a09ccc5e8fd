/** The lines of a text, each with its own line break (`\n` or `\r\n`); joined they are the text, byte for byte. */
export function splitLines(text: string): string[] {
  const lines: string[] = []
  let start = 0
  while (start < text.length) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at + 1
    lines.push(text.slice(start, end))
    start = end
  }
  return lines
}
