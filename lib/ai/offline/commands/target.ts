// What a command is about. The owner names it, a search finds it, and only a title that is the same but for case,
// accents, punctuation, articles and endings (or one slip of a finger) is taken. Anything else is asked about.

import { distanceFrom } from '../../../search/edit-distance.ts'
import { wordsOf } from '../../../search/words.ts'
import { readThing } from '../answers.ts'
import { ask, type Plan } from '../plan.ts'
import { stem } from '../questions/stem.ts'
import type { Created } from './command.ts'
import { kindNamed, kindWord } from './kind-words.ts'
import { unquote } from './unquote.ts'

export type Target = {
  /** The name as the owner wrote it, and without a kind in front or behind; the barest first. */
  names: string[]
  /** `null`: any. */
  kinds: string[] | null
  /** "this page", "it", "here": what the owner has open. */
  here: boolean
}

export type Entity = { kind: string; id: string; title: string }

export type Match =
  | { is: 'one'; found: Entity; exact: boolean }
  | { is: 'many'; candidates: Entity[] }
  | { is: 'none'; near: Entity[] }
  | { is: 'error'; message: string }

const pronoun = /^(?:this|it|that|here|this one|that one|the (?:current|open) one)$/i
const openOne = new RegExp(`^(?:this|that|the current|the open|my current|the) (${kindWord})$`, 'i')
const kindBefore = new RegExp(
  `^(?:(?:the|my|our) )?(${kindWord})(?: (?:called|named|titled))?:? (.{1,500})$`,
  'i',
)
const kindBehind = new RegExp(`^(?:(?:the|my|our) )?(.{1,500}?) (${kindWord})$`, 'i')

/** `kinds` are those that the command can be about, unless the owner names one. */
export function readTarget(text: string, kinds: string[] | null = null): Target {
  const trimmed = text
    .trim()
    .replace(/[.!,;:]+$/, '')
    .slice(0, 600)
  const named = openOne.exec(trimmed)
  if (named) return { names: [], kinds: [kindNamed(named[1]!)], here: true }
  if (pronoun.test(trimmed)) return { names: [], kinds, here: true }

  const before = kindBefore.exec(trimmed)
  const behind = before ? null : kindBehind.exec(trimmed)
  const word = before?.[1] ?? behind?.[2]
  const bare = unquote(before?.[2] ?? behind?.[1] ?? trimmed)
  const names = [...new Set([bare, unquote(trimmed)])]
  return { names, kinds: word ? [kindNamed(word)] : kinds, here: false }
}

export function* findTarget(target: Target, earlier: readonly Created[] = []): Plan<Match> {
  const created = findCreated(target, earlier)
  if (created) return yield* awaitCreated(created)
  if (target.here) return yield* findOpen(target)

  const name = target.names[0] ?? ''
  const first = yield* search(name, target.kinds)
  if (!Array.isArray(first)) return first
  const match = matchTitle(target.names, first)
  if (match.is !== 'none' || wordsOf(name).length < 2) return match
  const again = yield* search(`"${name.replaceAll('"', '')}"`, target.kinds)
  return Array.isArray(again) ? matchTitle(target.names, [...first, ...again]) : match
}

/** The one among these that bears a name; public for the sake of what has found its candidates by itself. */
export function matchTitle(names: readonly string[], found: readonly Entity[]): Match {
  const entities = [...new Map(found.map((entity) => [entity.id, entity])).values()]
  for (const [level, same] of [sameTitle, sameWords, nearlySame].entries()) {
    const matching = entities.filter(({ title }) => names.some((name) => same(name, title)))
    if (matching.length === 1) return { is: 'one', found: matching[0]!, exact: level < 2 }
    if (matching.length > 1) return { is: 'many', candidates: matching.slice(0, 6) }
  }
  const wanted = new Set(names.flatMap(bareWords))
  const near = entities.filter(({ title }) => bareWords(title).some((word) => wanted.has(word)))
  return { is: 'none', near: near.slice(0, 5) }
}

function findCreated(target: Target, earlier: readonly Created[]): Created | undefined {
  const fits = earlier.filter(({ kind }) => target.kinds === null || target.kinds.includes(kind))
  if (target.here) return fits.at(-1)
  return fits.findLast(({ title }) => target.names.some((name) => sameWords(name, title)))
}

function* awaitCreated({ kind, title, make }: Created): Plan<Match> {
  const answer = yield* make()
  const id = answer.isError ? undefined : /"entity_id":"([0-9a-f-]{36})"/.exec(answer.text)?.[1]
  if (!id) return { is: 'error', message: `the draft of “${title}” did not work` }
  return { is: 'one', found: { kind, id, title }, exact: true }
}

function* findOpen({ kinds }: Target): Plan<Match> {
  const answer = yield* ask('context', {})
  const thing = readThing(answer)
  if (answer.isError) return { is: 'error', message: answer.text }
  if (!thing) return { is: 'error', message: 'you have nothing open that I could mean. Name it, please' }
  const { kind, id, body, fields } = thing
  if (kinds && !kinds.includes(kind)) {
    return { is: 'error', message: `what you have open is a ${kind.replace('_', ' ')}` }
  }
  return { is: 'one', found: { kind, id, title: body?.title ?? String(fields.title ?? '') }, exact: true }
}

function* search(q: string, kinds: string[] | null): Plan<Entity[] | Match> {
  const answer = yield* ask('search', { q: q.slice(0, 500) || '?', ...(kinds ? { kinds } : {}) })
  if (answer.isError) return { is: 'error', message: answer.text }
  // A passage is called "Title › Heading"; a title may hold the sign itself, so every beginning counts as one.
  return answer.found.map(({ kind, id, title }) => ({ kind, id, title: title.split(' › ')[0] ?? title }))
}

const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const bareWords = (name: string) =>
  wordsOf(name)
    .filter(
      (word) => !['the', 'a', 'an', 'my', 'our', 'to', 'of', 'der', 'die', 'das', 'le', 'la'].includes(word),
    )
    .map(stem)

const sameTitle = (name: string, title: string) =>
  plain(name) === plain(title) && (plain(name) !== '' || name.trim() === title.trim())

const sameWords = (name: string, title: string) =>
  bareWords(name).length > 0 && bareWords(name).join(' ') === bareWords(title).join(' ')

/** One slip in a name of six letters or more, two in a long one; never in its digits. */
function nearlySame(name: string, title: string): boolean {
  const [one, other] = [plain(name).slice(0, 300), plain(title).slice(0, 300)]
  const most = one.length >= 14 ? 2 : one.length >= 6 ? 1 : 0
  const digits = (text: string) => text.replace(/\D+/g, ' ').trim()
  return most > 0 && digits(one) === digits(other) && distanceFrom(one, most)(other) <= most
}
