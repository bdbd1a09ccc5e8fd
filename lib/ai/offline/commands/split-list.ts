/** The items of a Markdown list; `null` when the text has a line that is none. */
export function splitList(text: string): string[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const items = lines.map((line) =>
    /^\s{0,12}(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ xX]?\]\s+)?(\S.*)$/.exec(line)?.[1]?.trim(),
  )
  return items.length > 0 && items.every((item) => item !== undefined) ? items : null
}
