// "Replace A with B in page X", "remove A from page X".

import { readThing, type Thing } from '../answers.ts'
import { ask, type Plan } from '../plan.ts'
import { askBack } from './ask-back.ts'
import { type Clause, type Command, type Created, changing, type Outcome, problem } from './command.ts'
import { kindWord } from './kind-words.ts'
import { findTarget, readTarget, type Target } from './target.ts'
import { leadingQuote, unquote } from './unquote.ts'
import { draftChange, nameOf } from './update.ts'

const opening =
  /^(?:replace|change|correct|substitute|swap)( all| every| each)?(?: the (?:words?|text|phrase|line))? (.{1,3000})$/i
const removal =
  /^(?:remove|delete|cut|strike)(?: the (?:words?|text|phrase|line|sentence))? (["“„].{1,3000})$/i
const place = new RegExp(
  `^(.{0,2000}) (?:in|on|from|of) ((?:the |this |my )?(?:${kindWord}) .{1,300}|(?:this|the|the open) (?:${kindWord})|here|it|["“].{1,300}["”]|[^ ].{0,200})$`,
  'i',
)

type Replacement = { old: string; new: string; all: boolean; target: Target }

export function readReplace({ head, said }: Clause): Command | null {
  const replacement = head.length > 4000 ? null : (readReplacing(head) ?? readRemoving(head))
  return replacement ? changing(said, (earlier) => replace({ ...replacement, earlier, said })) : null
}

function readReplacing(head: string): Replacement | null {
  const match = opening.exec(head)
  if (!match) return null
  const [, all = '', words = ''] = match
  const quote = leadingQuote(words)
  const between = quote ? null : / (?:with|by|to|for) /i.exec(words)
  const old = quote ? quote.quoted : between ? words.slice(0, between.index) : ''
  const rest = quote
    ? quote.rest.replace(/^(?:with|by|to|for) /i, '')
    : words.slice((between?.index ?? 0) + (between?.[0].length ?? 0))
  const by = leadingQuote(rest)
  const where = by ? place.exec(` ${by.rest}`) : place.exec(rest)
  if (old === '' || !where || (quote && rest === quote.rest)) return null
  return { old, new: by ? by.quoted : unquote(where[1]!), all: all !== '', target: readTarget(where[2]!) }
}

function readRemoving(head: string): Replacement | null {
  const quote = leadingQuote(removal.exec(head)?.[1] ?? '')
  const where = quote ? place.exec(` ${quote.rest}`) : null
  return quote && where ? { old: quote.quoted, new: '', all: false, target: readTarget(where[2]!) } : null
}

type Replace = Replacement & { earlier: readonly Created[]; said: string }

function* replace({ old, new: by, all, target, earlier, said }: Replace): Plan<Outcome[]> {
  const match = yield* findTarget(target, earlier)
  if (match.is !== 'one') return problem(askBack(match, target))
  const { found } = match
  const thing = readThing(yield* ask('read', { kind: found.kind, id: found.id }))
  const text = thing?.body?.blocks.join('\n\n') ?? ''
  const times = text.split(old).length - 1
  const shown = `“${old.slice(0, 100)}”`

  // What was read may be a part of the text; the server knows the whole and says if the words are not there.
  if (times === 0 && isWhole(thing))
    return problem(`${nameOf(found)} does not hold the words ${shown}, so I drafted nothing.`)
  if (times <= 1)
    return yield* draftChange({ found, said, edits: [{ old_text: wholeLine(text, old, by), new_text: by }] })
  if (!all)
    return problem(
      `${shown} stands ${times} times in ${found.title}. Say “replace all …” to change each, or quote more of the words around one.`,
    )
  const edits = linesWith(text, old).map((line) => ({
    old_text: line,
    new_text: line.replaceAll(old, () => by),
  }))
  if (!isWhole(thing) || edits.length === 0)
    return problem(
      `${nameOf(found)} is more than I can change in one go. Quote more of the words around each ${shown}.`,
    )
  return yield* draftChange({ found, said, edits })
}

/** A line that goes away takes its line break along. */
function wholeLine(text: string, old: string, by: string): string {
  return by === '' && `\n${text}`.includes(`\n${old}\n`) ? `${old}\n` : old
}

/** The lines to edit, each standing there once; none when one of them does not. */
function linesWith(text: string, words: string): string[] {
  const lines = text.split('\n').filter((line) => line.includes(words))
  const isUnique = lines.every((line) => text.indexOf(line) === text.lastIndexOf(line))
  return isUnique && lines.length <= 200 ? lines : []
}

const isWhole = (thing: Thing | null) =>
  thing !== null && thing.firstLine <= 1 && thing.lastLine >= thing.totalLines
