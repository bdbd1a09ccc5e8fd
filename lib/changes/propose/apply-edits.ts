// Edits of a long text, as an agent sends them: words replaced, lines replaced, text put before, behind or at the end.

import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { cleanText } from '../../core/text/clean.ts'

const replacement = z.strictObject({ old_text: z.string().min(1), new_text: z.string() })
const lines = z.strictObject({
  lines: z.string().regex(/^\d{1,7}(?:\s*[-–]\s*\d{1,7})?$/),
  new_text: z.string(),
})
const after = z.strictObject({ insert_after: z.string().min(1), new_text: z.string().min(1) })
const before = z.strictObject({ insert_before: z.string().min(1), new_text: z.string().min(1) })
const addition = z.strictObject({ append: z.string().min(1) })

/** One change of a long text. */
export const Edit = z.union([replacement, lines, after, before, addition])

export type Edit = z.infer<typeof Edit>

/** The forms of an edit, for who sent none of them. */
export const editForms =
  '{old_text, new_text}, {lines: "12-14", new_text}, {insert_after, new_text}, {insert_before, new_text} or {append}'

/** `null` for what has none of the forms; `text` is taken for the `new_text` of an insertion. */
export function parseEdit({ text, ...fields }: { text?: string | undefined }): Edit | null {
  return Edit.safeParse(text === undefined ? fields : { new_text: text, ...fields }).data ?? null
}

/** A number alone is that of a line, as `read` shows it. */
const lineNumber = /^\d{1,7}$/

type NumberedEdit = Exclude<Edit, { old_text: string } | { append: string }>

/** Whether an edit names lines by number, which hold for one version of the stored text alone. */
export const namesLines = (one: Edit): one is NumberedEdit =>
  'lines' in one ||
  ('insert_after' in one && lineNumber.test(one.insert_after)) ||
  ('insert_before' in one && lineNumber.test(one.insert_before))

/**
 * The text with all edits. Numbers of lines are those of `text`; words are looked for in what the edits before have made
 * of it. Throws a 400 `AppError` that the model can mend: for words that do not stand there exactly once, and lines that
 * are not there.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const numbered = edits.flatMap((one, index) => (namesLines(one) ? [toRange(text, one, index)] : []))
  // From the end, so that the numbers before stay true.
  const ordered = numbered.toSorted((a, b) => b.from - a.from || b.to - a.to)
  const overlap = ordered.find((each, at) => at > 0 && each.to > ordered[at - 1]!.from)
  if (overlap) throw invalid(`edits[${overlap.index}]: its lines overlap those of another edit.`)
  const start = ordered.reduce(replaceLines, text.split('\n')).join('\n')
  return edits.reduce((now, one, index) => (namesLines(one) ? now : applyWords(now, one, index)), start)
}

/** Lines from `from` up to but not including `to`, counted from 0; equal for an insertion. */
type Range = { index: number; from: number; to: number; text: string; inserts: boolean }

function toRange(text: string, one: NumberedEdit, index: number): Range {
  const total = text.split('\n').length
  const place = placeOf(one)
  const [first = 0, last = first] = place.split(/\s*[-–]\s*/).map(Number)
  if (first < 1 || last < first || last > total)
    throw invalid(`edits[${index}]: there are no lines ${place}; the text has ${total}. Read it again.`)
  const added = cleanText(one.new_text)
  if ('lines' in one) return { index, from: first - 1, to: last, text: added, inserts: false }
  const at = 'insert_after' in one ? first : first - 1
  return { index, from: at, to: at, text: added, inserts: true }
}

function placeOf(one: NumberedEdit): string {
  if ('lines' in one) return one.lines
  return 'insert_after' in one ? one.insert_after : one.insert_before
}

function replaceLines(all: string[], { from, to, text, inserts }: Range): string[] {
  if (!inserts)
    return [
      ...all.slice(0, from),
      ...(text === '' ? [] : text.replace(/\n$/, '').split('\n')),
      ...all.slice(to),
    ]
  return insertBlock(all.slice(0, from), text, all.slice(to))
}

function applyWords(text: string, one: Edit, index: number): string {
  if ('append' in one) {
    const ended = text.trimEnd()
    return insertBlock(ended === '' ? [] : ended.split('\n'), cleanText(one.append), []).join('\n')
  }
  if ('old_text' in one) {
    const { start, end } = findOnce(text, one.old_text, { index, name: 'old_text' })
    return text.slice(0, start) + cleanText(one.new_text) + text.slice(end)
  }
  // By lines they were applied before.
  if ('lines' in one) return text
  const isAfter = 'insert_after' in one
  const name = isAfter ? 'insert_after' : 'insert_before'
  const anchor = placeOf(one)
  const { start, end } = findOnce(text, anchor, { index, name })
  const cut = isAfter ? lineEnd(text, end) : text.lastIndexOf('\n', start - 1)
  const [head, tail] = cut === -1 ? ['', text] : [text.slice(0, cut), text.slice(cut + 1)]
  const added = cleanText(one.new_text)
  const rest = cut === text.length ? [] : tail.split('\n')
  return insertBlock(cut === -1 ? [] : head.split('\n'), added, rest).join('\n')
}

/** Where the line ends that a place is in; a break right before it belongs to the line before. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', text[at - 1] === '\n' ? at - 1 : at)
  return end === -1 ? text.length : end
}

/** Lines as a block of their own, with a blank line to its neighbours where they would run together. */
function insertBlock(head: readonly string[], added: string, tail: readonly string[]): string[] {
  const block = added.replace(/\n+$/, '').split('\n')
  const gap = (above: string | undefined, below: string | undefined) =>
    above === undefined ||
    below === undefined ||
    above.trim() === '' ||
    below.trim() === '' ||
    isRun(above, below)
      ? []
      : ['']
  return [...head, ...gap(head.at(-1), block[0]), ...block, ...gap(block.at(-1), tail[0]), ...tail]
}

const runs = [/^\s*(?:[-*+]|\d{1,9}[.)])\s/, /^\s*\|/, /^\s*>/]

/** Two items of a list, two rows of a table, two lines of a quotation. */
const isRun = (above: string, below: string): boolean =>
  runs.some((run) => run.test(above) && run.test(below))

type Named = { index: number; name: string }

/** A text copied with the line numbers of `read` is looked for without them. */
function findOnce(text: string, wanted: string, { index, name }: Named): { start: number; end: number } {
  const bare = wanted.replace(/^ {0,6}\d{1,7}\| ?/gm, '')
  const words = !text.includes(wanted) && bare !== '' && text.includes(bare) ? bare : wanted
  const start = text.indexOf(words)
  const place = `edits[${index}]: ${name}`
  if (start === -1)
    throw invalid(
      `${place} was not found in the text. Read the text again and copy it exactly, including line breaks.`,
    )
  const second = text.indexOf(words, start + 1)
  if (second !== -1) {
    const [one, other] = [lineOf(text, start), lineOf(text, second)]
    const where = one === other ? `twice in line ${one}` : `in lines ${one} and ${other}`
    throw invalid(
      `${place} was found more than once in the text, such as ${where}. Include more of the ` +
        'surrounding lines, so that it is unique.',
    )
  }
  return { start, end: start + words.length }
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length
