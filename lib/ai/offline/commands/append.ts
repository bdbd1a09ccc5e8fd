// "Append "…" to page X", "add … to this page", with the text on the same line or below.

import { readThing, type Thing } from '../answers.ts'
import { ask, type Plan } from '../plan.ts'
import { askBack } from './ask-back.ts'
import { type Clause, type Command, type Created, changing, type Outcome, problem } from './command.ts'
import { kindWord } from './kind-words.ts'
import { type Entity, findTarget, readTarget, type Target } from './target.ts'
import { leadingQuote, unquote } from './unquote.ts'
import { draftChange, nameOf } from './update.ts'

const verb = '(?:append|add|write|insert|put|attach)'
const join = '(?:to|onto|in|into|on|at the end of|to the end of|at the bottom of|to the bottom of)'
const named = `(?:(?:the |my )?(?:${kindWord}) \\S.{0,300}|(?:the |my )\\S.{0,300} (?:${kindWord})|(?:this|the|the open|the current) (?:${kindWord})|here|it)`
const textFirst = new RegExp(
  `^${verb} (?:the (?:text|line|sentence|words?|paragraph|item|note) )?(.{1,20000}) ${join} (${named})$`,
  'is',
)
const appendFirst = /^append (.{1,20000}) (?:to|onto) (.{1,300})$/is
const toMine = /^(?:add|put) (.{1,2000}) (?:to|on|onto) ((?:my|the|our) .{1,300})$/is
const update = new RegExp(`^(?:update|extend|continue) (${named}) (?:with|by):? (.{1,20000})$`, 'is')
const placeFirst = new RegExp(
  `^${verb} (?:(?:the following|this|text|a line) )?${join} (${named}|["“][^"”]{1,300}["”])(?:: ?| the text ?:? )(.*)$`,
  'is',
)

type Addition = { text: string; target: Target }

export function readAppend({ head, below, said }: Clause): Command | null {
  const addition = readAddition(head, below)
  return addition ? changing(said, (earlier) => append({ ...addition, earlier, said })) : null
}

function readAddition(head: string, below: string): Addition | null {
  const quote = leadingQuote(
    head.replace(/^\S+ (?:the (?:text|line|sentence|words?|paragraph|item|note) )?/, ''),
  )
  const to =
    quote && new RegExp(`^${verb} `, 'i').test(head)
      ? new RegExp(`^${join} (.{1,300})$`, 'i').exec(quote.rest)
      : null
  if (quote && to) return { text: joinLines(quote.quoted, below), target: readTarget(to[1]!) }

  const placed = placeFirst.exec(head)
  const text = joinLines(placed?.[2] ?? '', below)
  if (placed && text !== '') return { text: unquote(text), target: readTarget(placed[1]!) }
  const updated = update.exec(head)
  if (updated) return { text: joinLines(unquote(updated[2]!), below), target: readTarget(updated[1]!) }
  const match = textFirst.exec(head) ?? appendFirst.exec(head) ?? toMine.exec(head)
  return match
    ? { text: joinLines(unquote(match[1]!), below), target: readTarget(match[2]!.replace(/:$/, '')) }
    : null
}

const joinLines = (first: string, below: string) =>
  [first, below].filter((part) => part.trim() !== '').join('\n')

type Append = Addition & { earlier: readonly Created[]; said: string }

function* append({ text, target, earlier, said }: Append): Plan<Outcome[]> {
  const match = yield* findTarget(target, earlier)
  if (match.is !== 'one') return problem(askBack(match, target))
  const { found } = match
  const thing = yield* readEnd(found)
  if (!thing) return problem(`${nameOf(found)} could not be read, so I drafted nothing for it.`)
  const lines = thing.body?.blocks.join('\n\n').trimEnd().split('\n') ?? []
  if (lines.length === 0) return yield* draftChange({ found, said, payload: { body: text } })

  const tail = uniqueTail(lines)
  return yield* draftChange({
    found,
    said,
    edits: [{ old_text: tail, new_text: tail + follow(lines.at(-1) ?? '', text) }],
  })
}

/** The thing with the end of its text, which a long one takes a second call for. */
function* readEnd({ kind, id }: Entity): Plan<Thing | null> {
  const thing = readThing(yield* ask('read', { kind, id }))
  if (!thing || thing.lastLine >= thing.totalLines) return thing
  const from_line = Math.max(1, thing.totalLines - 80)
  return readThing(yield* ask('read', { kind, id, from_line, to_line: thing.totalLines }))
}

/** The shortest run of last lines that stands nowhere else in what was read. */
function uniqueTail(lines: string[]): string {
  const text = lines.join('\n')
  let from = lines.length - 1
  while (from > 0) {
    const tail = lines.slice(from).join('\n')
    if (tail.trim() !== '' && text.indexOf(tail) === text.length - tail.length) return tail
    from -= 1
  }
  return text
}

/** A short line goes on with the list that the text ends with; anything else is a paragraph of its own. */
function follow(lastLine: string, text: string): string {
  const item = /^(\s*)(?:([-*+])|(\d{1,4})([.)])) (\[[ xX]\] )?/.exec(lastLine)
  if (!item || text.includes('\n') || /^[-*#>]/.test(text)) return `\n\n${text}`
  const [, indent = '', bullet, number, sign, box] = item
  return `\n${indent}${bullet ?? `${Number(number) + 1}${sign}`} ${box ? '[ ] ' : ''}${text}`
}
