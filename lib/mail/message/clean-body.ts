// What a message says, without what it quotes: the history under an answer, lines in `>`, the line that introduces
// them, and a signature. What is forwarded stays: it is what such a message says. Works on the Markdown of
// message-body.ts, line by line and looking no more than a few lines back.

/** Lines under "From:" in which "Subject:" is looked for. */
const maxHeaderLines = 8
/** Lines that a mail program breaks "On … wrote:" into. */
const maxIntroduction = 3

const original = /^\\?[-_]{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine)\s*[-_]{2,}/i
const signature = /^\\?-- ?$/
const fromLine = /^(?:\*\*)?(?:from|von|de|da|van|fra|från)\s?:/i
const subjectLine = /^(?:\*\*)?(?:subject|betreff|objet|asunto|oggetto|onderwerp|emne|ämne)\s?:/i
const forwarded = /(?:forwarded|weitergeleitete|transféré|reenviado|inoltrato|doorgestuurd)/i
const separator = /^\\?[-_*]{2,}/

/** Never empty where `markdown` is not: a message that only quotes is its quotes. */
export function cleanBody(markdown: string): string {
  const lines = markdown.split('\n')
  const kept = withoutQuotes(lines.slice(0, endOf(lines)))
  const said = tidy(kept)
  return said === '' ? tidy(lines) : said
}

/** Where the history or the signature begins. */
function endOf(lines: readonly string[]): number {
  for (const [at, line] of lines.entries()) {
    const plain = line.trim()
    if (original.test(plain) || signature.test(plain)) return at
    if (fromLine.test(plain) && isHistory(lines, at)) return at
  }
  return lines.length
}

/** The headers that a mail program puts above what is answered; above what is forwarded, it says so. */
function isHistory(lines: readonly string[], at: number): boolean {
  const headers = lines.slice(at + 1, at + maxHeaderLines)
  if (!headers.some((line) => subjectLine.test(line.trim()))) return false
  const before = lines.slice(Math.max(0, at - 3), at)
  return !before.some((line) => forwarded.test(line) && separator.test(line.trim()))
}

function withoutQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (const line of lines) {
    if (!line.startsWith('>')) {
      kept.push(line)
      continue
    }
    dropIntroduction(kept)
    // What stood on both sides of it stays apart.
    kept.push('')
  }
  return kept
}

/** Drops "On Tuesday, Anna <anna@example.org> wrote:" from the end. */
function dropIntroduction(kept: string[]): void {
  while (kept.length > 0 && kept.at(-1)!.trim() === '') kept.pop()
  const last = kept.at(-1)?.trim() ?? ''
  if (!last.endsWith(':') || last.length > 400) return
  for (let lines = 1; lines <= maxIntroduction && lines <= kept.length; lines++) {
    const text = kept.slice(-lines).join(' ')
    const begins = lines === kept.length || kept.at(-lines - 1)!.trim() === ''
    if (begins && /\d/.test(text) && /[@,.:]/.test(text)) {
      kept.splice(kept.length - lines, lines)
      return
    }
  }
}

const tidy = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
