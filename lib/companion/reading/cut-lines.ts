/** Characters of one block, the smallest thing that can be cited. */
const maxPerBlock = 1500

/** Lines, counted from 1, and how many characters of them fit. */
type Wanted = { from: number; to?: number | undefined; max: number }

/** The wanted lines as blocks, as many as fit; at least one line, itself cut when it alone is too long. */
export function cutLines(text: string, { from, to, max }: Wanted) {
  const lines = text.split('\n')
  const first = Math.min(from, lines.length)
  const wanted = lines.slice(first - 1, to === undefined ? undefined : Math.max(to, first))
  const kept: string[] = []
  let left = max

  for (const line of wanted) {
    if (line.length > left && kept.length > 0) break
    kept.push(line.slice(0, left).toWellFormed())
    left -= line.length + 1
    if (left <= 0) break
  }
  return {
    blocks: toBlocks(kept.join('\n')),
    from_line: first,
    to_line: first + kept.length - 1,
    total_lines: lines.length,
    cut: first + kept.length - 1 < lines.length || left < 0,
  }
}

// Paragraph by paragraph; a very long paragraph line by line; a very long line by length.
function toBlocks(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => (paragraph.length <= maxPerBlock ? [paragraph] : paragraph.split('\n')))
    .flatMap((piece) => piece.match(new RegExp(`[^]{1,${maxPerBlock}}`, 'gu')) ?? [])
    .filter((piece) => piece.trim() !== '')
}
