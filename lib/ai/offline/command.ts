// One command of a message: its clause, the entity it is about, and the draft it makes. The owner names the entity, a
// search finds it, and only a title that is the same but for case, accents, articles and endings is taken. Anything else
// is asked about.

import { contentStems, stemsOf } from '../../core/text/words/content-words.ts'
import { wordsOf } from '../../core/text/words/words.ts'
import { call, type Plan, parseDraft, parseItem } from './conversation.ts'
import { plainName } from './plain-name.ts'

/** One clause of a message: its first line with white space folded and politeness removed, and the lines below it. */
export type Clause = { head: string; below: string; said: string }

export type Outcome = { draft: { id: string; summary: string } } | { problem: string }

/** An item that an earlier command of the same message creates; `draft` is the draft of that very command. */
export type Created = { kind: string; title: string; draft: () => Plan<Outcome> }

export type Command = {
  creates?: { kind: string; title: string }
  draft: (earlier: readonly Created[]) => Plan<Outcome>
}

type Change = {
  entity_type: string
  action: 'create' | 'update' | 'delete'
  entity_id?: string
  payload?: Record<string, unknown>
  edits?: { append: string }[]
}

/** Drafts a change of what `name` names, with what the owner said as its reason. */
export function* propose(change: Change, name: string, said: string): Plan<Outcome> {
  const words = said.replace(/\s+/g, ' ').trim()
  const quoted = words.length > 300 ? `${words.slice(0, 300).toWellFormed()}…` : words
  const result = yield* call('propose_change', { ...change, reason: `You asked: “${quoted}”` })
  const draft = parseDraft(result)
  return draft ? { draft } : { problem: `I could not draft a change of ${name}: ${result.text}` }
}

/** A command that drafts nothing and says why. */
export const refusing = (problem: string): Command => ({
  // biome-ignore lint/correctness/useYield: a plan that needs no call.
  *draft() {
    return { problem }
  },
})

const kinds: Record<string, string> = {
  task: 'task',
  todo: 'task',
  'to-do': 'task',
  page: 'page',
  note: 'page',
  project: 'project',
  ref: 'ref',
  reference: 'ref',
  bookmark: 'ref',
  link: 'ref',
  resource: 'resource',
  file: 'source_doc',
  document: 'source_doc',
  'source document': 'source_doc',
}

/** An alternation for a pattern, longest first; matches a singular, in any case under the flag `i`. */
export const kindWord = Object.keys(kinds)
  .toSorted((a, b) => b.length - a.length)
  .join('|')

/** The kind that a word means, in the singular or plural; `null` for any other word. */
export const kindNamed = (word: string): string | null => kinds[word.toLowerCase().replace(/s$/, '')] ?? null

export type Target = {
  /** The name as the owner wrote it, and without a kind in front or behind; the barest first. */
  names: string[]
  /** `null`: any. */
  kinds: readonly string[] | null
  /** "this page", "it", "here": what the owner has open. */
  open: boolean
}

export type Entity = { kind: string; id: string; title: string }

export type Match = { entity: Entity } | { problem: string }

const openOne = new RegExp(
  `^(?:(?:this|that|the)(?: (?:open|current))? (${kindWord})|this|that|it|here)$`,
  'i',
)
const kindBefore = new RegExp(
  `^(?:(?:the|my) )?(${kindWord})(?: (?:called|named|titled))?:? (.{1,500})$`,
  'i',
)
const kindBehind = new RegExp(`^(?:(?:the|my) )?(.{1,500}?) (${kindWord})$`, 'i')

/** `kinds` are those that the command can be about, unless the owner names one. */
export function readTarget(text: string, kinds: readonly string[] | null = null): Target {
  const name = text.slice(0, 600).replace(/^\s+|[.!,;:\s]+$/g, '')
  const open = openOne.exec(name)
  if (open) return { names: [], kinds: open[1] ? [kindNamed(open[1])!] : kinds, open: true }

  const before = kindBefore.exec(name)
  const behind = before || leadingQuote(name) ? null : kindBehind.exec(name)
  const word = before?.[1] ?? behind?.[2]
  const bare = unquote(before?.[2] ?? behind?.[1] ?? name)
  return { names: [...new Set([bare, unquote(name)])], kinds: word ? [kindNamed(word)!] : kinds, open: false }
}

/**
 * What the target names: among what earlier commands create, what is open, or what a search finds. `outcome`: what follows
 * if there is nothing, behind “I found nothing called …”.
 */
export function* findTarget(
  target: Target,
  earlier: readonly Created[] = [],
  outcome = ', so I drafted nothing for it',
): Plan<Match> {
  const created = findCreated(target, earlier)
  if (created) {
    const drafted = yield* created.draft()
    if ('problem' in drafted) return drafted
    return { entity: { ...created, id: drafted.draft.id } }
  }
  if (target.open) return yield* findOpen(target)

  const name = target.names[0] ?? ''
  const kinds = target.kinds ? { kinds: target.kinds } : {}
  const found: Entity[] = []
  for (const q of [name.slice(0, 500), `"${name.replaceAll('"', '').slice(0, 500)}"`]) {
    const result = yield* call('search', { q, ...kinds })
    if (result.isError) return { problem: `I could not search for “${plainName(name)}”: ${result.text}` }
    found.push(
      ...result.passages.map((passage) => ({ ...passage, title: passage.title.split(' › ')[0] ?? '' })),
    )
    const match = matchTitle(target, found)
    if (match) return match
  }
  return { problem: notFound(target, found, outcome) }
}

function findCreated(target: Target, earlier: readonly Created[]): Created | undefined {
  const fits = earlier.filter(({ kind }) => target.kinds === null || target.kinds.includes(kind))
  if (target.open) return fits.at(-1)
  return fits.findLast(({ title }) => target.names.some((name) => sameWords(name, title)))
}

function* findOpen({ kinds }: Target): Plan<Match> {
  const result = yield* call('context', {})
  const item = parseItem(result)
  if (result.isError) return { problem: `I could not read what you have open: ${result.text}` }
  if (!item) return { problem: 'You have nothing open. Name what you mean.' }
  if (kinds && !kinds.includes(item.kind))
    return { problem: `What you have open is a ${labelOf(item.kind)}.` }
  return { entity: item }
}

/** Such as "the task **Buy rope**". */
export const nameOf = ({ kind, title }: Entity): string => `the ${labelOf(kind)} **${plainName(title)}**`

/** `null` when no title is like the name. */
function matchTitle({ names }: Target, found: readonly Entity[]): Match | null {
  for (const same of [sameTitle, sameWords]) {
    const matching = found.filter(({ title }) => names.some((name) => same(name, title)))
    const distinct = [...new Map(matching.map((entity) => [entity.id, entity])).values()]
    if (distinct.length === 1) return { entity: distinct[0]! }
    if (distinct.length > 1) {
      const name = `“${plainName(names[0] ?? '')}”`
      return { problem: `There is more than one ${name}. Name the kind too:\n\n${listed(distinct)}` }
    }
  }
  return null
}

function notFound({ names }: Target, found: readonly Entity[], outcome: string): string {
  const wanted = contentStems(names[0] ?? '')
  const near = found.filter(({ title }) => [...stemsOf(title)].some((word) => wanted.has(word)))
  const problem = `I found nothing called “${plainName(names[0] ?? '')}”${outcome}.`
  return near.length > 0 ? `${problem} Did you mean one of these?\n\n${listed(near)}` : problem
}

const listed = (entities: readonly Entity[]) =>
  [...new Set(entities.map((entity) => `- ${nameOf(entity)}`))].slice(0, 5).join('\n')

const isSame = (wordsOf: (name: string) => string[]) => (name: string, title: string) =>
  name.trim() === title.trim() ||
  (wordsOf(name).length > 0 && wordsOf(name).join(' ') === wordsOf(title).join(' '))

const sameTitle = isSame(wordsOf)
const sameWords = isSame((name) => [...stemsOf(name.replace(/\b(?:the|an?|my|our)\b/gi, ''))])

/** A kind in a sentence. */
export const labelOf = (kind: string): string => labels[kind] ?? kind

const labels: Record<string, string> = { ref: 'reference', source_doc: 'file' }

const pairs = ['""', '“”', '‘’', "''", '``']

/** A text without the quotation marks around all of it, if there are any; trimmed. */
export function unquote(text: string): string {
  const quote = leadingQuote(text)
  return quote?.rest === '' ? quote.quoted : text.trim()
}

/** The quoted text that a text begins with, and what follows it; `null` when it does not begin with one. */
export function leadingQuote(text: string): { quoted: string; rest: string } | null {
  const trimmed = text.trim()
  const pair = pairs.find((quotes) => quotes[0] === trimmed[0])
  const end = pair ? trimmed.indexOf(pair[1]!, 1) : -1
  if (end < 2) return null
  return { quoted: trimmed.slice(1, end).trim(), rest: trimmed.slice(end + 1).trim() }
}
