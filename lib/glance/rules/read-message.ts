import { cleanLine } from '../../text/clean.ts'
import { splitHidden } from '../../text/hidden-characters.ts'

/** Characters of a nudge, and of what its action puts into the composer. */
const maxMessage = 120
const maxPrompt = 500

const abbreviations = /(?:^|\s)(?:mr|mrs|ms|dr|prof|st|no|nr|co|inc|ltd|vs|approx|bzw|ca|p|\p{L})\.$/iu

/** One sentence of at most 120 characters without links or anything unseen; `null` for anything else. */
export function readMessage(text: string | undefined): string | null {
  if (text === undefined || text.length > 4 * maxMessage) return null
  const line = visible(text)
  if (line === '' || line.length > maxMessage || /\n\s*\S/.test(text.trim())) return null
  if (/https?:|www\.|[<>[\]`|]/i.test(line) || !/\p{L}{2}/u.test(line)) return null
  return hasOneSentence(line) ? line : null
}

/** What the action says in the owner’s name: the message where there is none. */
export function readActionPrompt(text: string | undefined, message: string): string {
  const line = visible((text ?? '').slice(0, 4 * maxPrompt))
  return line === '' ? message : line.slice(0, maxPrompt).toWellFormed()
}

const visible = (text: string): string =>
  cleanLine(
    splitHidden(text)
      .map((piece) => (typeof piece === 'string' ? piece : ''))
      .join(''),
  )

/** A full stop within ends none behind “Dr.”, an initial or a number. */
function hasOneSentence(line: string): boolean {
  for (const { index } of line.matchAll(/[.!?…]["'”’)]?\s(?=\S)/gu)) {
    const before = line.slice(0, index + 1)
    if (!abbreviations.test(before) && !/\d\.$/.test(before)) return false
  }
  return true
}
