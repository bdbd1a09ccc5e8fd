// What a text from outside has to do with a draft: whether words of it are in the draft, and whether it gives orders.
// Words that the owner used, or that stand in the owner's own texts, came from there.

import type { ChangeAction } from '../../contract/changes/decision.ts'
import { computeHunks } from '../../core/text/diff/hunks.ts'
import { givesOrders } from '../../core/text/orders/gives-orders.ts'
import { plainWords, resolveEscapes } from '../../core/text/orders/plain-words.ts'
import { findRuns } from '../../core/text/words/find-runs.ts'
import { wordsOf } from '../../core/text/words/words.ts'

type Written = { before: string; after: string }

type OutsideQuestion = {
  written: readonly Written[]
  change: DraftedChange
  /** Messages of the owner. */
  said: readonly string[]
  /** Texts that were read and that the owner vouches for. */
  own: readonly string[]
  /** The texts of each source from outside. */
  sources: readonly (readonly string[])[]
}

export type OutsideUse = {
  /** The passage nearest to what is added; `null` where they have no word in common. */
  passage: NearestPassage | null
  /** Words of it, and of nothing else that was read, are in the draft; or it names what the draft would delete. */
  used: boolean
  orders: boolean
}

/** In words: this many in a row come from the source, or so many of a passage and such a share of all new words. */
const runLength = 4

/** Short words counted: this many in a row are a sentence that was taken over. */
const sentenceLength = 7

const minSharedWords = 3

const minShare = 0.6

/** Texts are judged without their escapes: `eve\@example.org` in a mail is `eve@example.org` in a draft. */
export function judgeOutside(asked: OutsideQuestion): OutsideUse[] {
  const question = {
    ...asked,
    written: asked.written.map(({ before, after }) => ({
      before: resolveEscapes(before),
      after: resolveEscapes(after),
    })),
    said: asked.said.map(resolveEscapes),
    own: asked.own.map(resolveEscapes),
    sources: asked.sources.map((texts) => texts.map(resolveEscapes)),
  }
  const added = readText(question.written.map(({ before, after }) => addedLines(before, after)).join('\n'))
  const isTaken = createTakenCheck(added, question)
  const isNamed = createNamedCheck(question)
  const findNearest = createPassageFinder(added.long)
  const said = question.said.join('\n').slice(0, maxSourceChars)
  return question.sources.map((texts) => {
    const source = readText(texts.join('\n\n').slice(0, maxSourceChars))
    const passages = passagesOf(source.text)
    return {
      passage: findNearest(passages),
      used: isTaken(source, passages) || isNamed(source),
      orders: givesOrders(source.text) || ordersChange(source.text, question.change, said),
    }
  })
}

/** Its words, and the long ones of them. */
type ReadText = { text: string; words: readonly string[]; long: readonly string[] }

function readText(text: string): ReadText {
  const words = wordsOf(text)
  return { text, words, long: words.filter(isLong) }
}

type TakenCheck = (source: ReadText, passages: readonly ReadText[]) => boolean

function createTakenCheck(added: ReadText, { written, said, own }: OutsideQuestion): TakenCheck {
  const known = readText(
    [...said, ...own, ...written.map(({ before }) => before)]
      .map((text) => text.slice(0, maxSourceChars))
      .join('\n'),
  )
  const fresh = without(added.long, known.long)
  const runs = without(runsOf(added.long, runLength), runsOf(known.long, runLength))
  const sentences = without(runsOf(added.words, sentenceLength), runsOf(known.words, sentenceLength))
  const tokens = without(exactTokensOf(added.text), exactTokensOf(known.text))
  const findFresh = createPassageFinder([...fresh])
  const isOnlyFresh = fresh.size === new Set(added.long).size

  return ({ text, words, long }, passages) => {
    if (exactTokensOf(text).some((token) => tokens.has(token))) return true
    if (runsOf(long, runLength).some((run) => runs.has(run))) return true
    if (runsOf(words, sentenceLength).some((run) => sentences.has(run))) return true
    if (fresh.size < 2) return false
    const nearest = findFresh(passages)
    if (!nearest) return false
    const { share, shared_words } = nearest
    return (shared_words >= minSharedWords && share >= minShare) || (isOnlyFresh && share === 1)
  }
}

function without(all: readonly string[], known: readonly string[]): Set<string> {
  const has = new Set(known)
  return new Set(all.filter((one) => !has.has(one)))
}

/** Of a deletion that the owner did not name: whether the text does. One word alone may be any. */
function createNamedCheck({ change, said }: OutsideQuestion): (source: ReadText) => boolean {
  const title = readText(change.title).long
  const asked = new Set(readText(said.join('\n').slice(0, maxSourceChars)).long)
  if (change.action !== 'delete' || title.length < 2 || title.every((word) => asked.has(word))) {
    return () => false
  }
  return ({ long }) => findRuns(long, title, 1).length > 0
}

const addedLines = (before: string, after: string): string =>
  computeHunks(before, after)
    .map((hunk) => hunk.after.lines.join(''))
    .join('\n')

const maxPassageChars = 500

/** Characters of one source that are searched. */
const maxSourceChars = 200_000

type NearestPassage = { text: string; share: number; shared_words: number }

/**
 * Finds the passage of some texts that has the most in common with what is written, by words and by runs of three;
 * `share` is the share of the written words found in it, 0 to 1, and `shared_words` how many those are. `null` when they
 * have no word in common. What is written is read once, whatever is compared with it.
 */
function createPassageFinder(
  written: readonly string[],
): (passages: readonly ReadText[]) => NearestPassage | null {
  const words = new Set(written)
  const runs = new Set(runsOf(written, 3))
  return (passages) => nearestOf(passages, { words, runs })
}

type WrittenWords = { words: ReadonlySet<string>; runs: ReadonlySet<string> }

function nearestOf(passages: readonly ReadText[], { words, runs }: WrittenWords): NearestPassage | null {
  let best: (NearestPassage & { score: number }) | null = null
  for (const { text, long: found } of passages) {
    const common = new Set(found.filter((word) => words.has(word)))
    const score = common.size + 3 * new Set(runsOf(found, 3).filter((run) => runs.has(run))).size
    if (common.size === 0 || (best && score <= best.score)) continue
    const share = Math.round((100 * common.size) / words.size) / 100
    best = { text, share, shared_words: common.size, score }
  }
  if (!best) return null
  const { text, share, shared_words } = best
  return { text, share, shared_words }
}

function passagesOf(text: string): ReadText[] {
  return text
    .toWellFormed()
    .split(/\n\s*\n/)
    .flatMap(
      (paragraph) =>
        paragraph.match(new RegExp(`[^]{1,${maxPassageChars}}(?:\\s|$)|[^]{1,${maxPassageChars}}`, 'gu')) ??
        [],
    )
    .map((passage) => passage.trim())
    .filter((passage) => passage !== '')
    .map(readText)
}

/**
 * Whether a word has four letters or a digit, or is a pair of signs of writing without spaces. Short words occur everywhere
 * and say nothing.
 */
const isLong = (word: string): boolean => word.length >= 4 || isTelling.test(word)

const isTelling =
  /\p{N}|^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** Every run of so many words, as one string each: slices of one text, which cost no copy. */
function runsOf(words: readonly string[], length: number): string[] {
  const text = words.join(' ')
  const runs: string[] = []
  let [start, end] = [0, words.slice(0, length).join(' ').length]
  for (let next = length; next <= words.length; next++) {
    runs.push(text.slice(start, end))
    start += words[next - length]!.length + 1
    end += (words[next]?.length ?? 0) + 1
  }
  return runs
}

/** Mail addresses, hosts and longer numbers: what a change is steered to is mostly one of these. */
function exactTokensOf(text: string): string[] {
  const found = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}.@:/_-]{3,200}/gu)
  return (found ?? [])
    .map((token) => token.replace(/^https?:\/\//, '').replace(/[.:/_-]+$/, ''))
    .filter(isExact)
}

function isExact(token: string): boolean {
  if (/^(?:1[89]|20)\d\d(?:-\d\d(?:-\d\d)?)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{1,2}:\d\d/.test(token))
    return false
  return /@.+\.|^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:\/|$)/u.test(token) || digits(token) >= 4
}

const digits = (token: string): number => token.replace(/\D/g, '').length

export type DraftedChange = {
  action: ChangeAction
  /** What the kind is called: page, task. */
  label: string
  /** Of what would change; empty for what is new. */
  title: string
}

const verbs: Partial<Record<ChangeAction, RegExp>> = {
  update: orderOf(
    'update|change|rename|edit|mark|set|replace|rewrite|append|overwrite|move|correct|amend|complete|close|ändere|aktualisiere|ersetze|setze|markiere|modifie|remplace|cambia|marca',
  ),
  delete: orderOf(
    'delete|remove|erase|trash|wipe|purge|discard|destroy|empty|lösche|entferne|supprime|efface|elimina|borra',
  ),
}

/** Where a sentence tells somebody to do so, and what it goes on with. */
function orderOf(words: string): RegExp {
  return new RegExp(
    `(?:^|[\\n.!?:;,>(“"] ?|\\b(?:please|bitte|must|should|then|and|to|por favor) )(?:${words})\\b([^\\n]{0,80})`,
    'g',
  )
}

const synonyms: Record<string, RegExp> = {
  page: /\b(?:pages?|notes?|entry|seiten?|notiz|página|nota)\b/,
  task: /\b(?:tasks?|to-?dos?|aufgaben?|tâches?|tareas?)\b/,
  project: /\b(?:projects?|projekte?|projets?|proyectos?)\b/,
}

/**
 * Whether the text tells somebody to make such a change to such a thing, where the owner (`said`) asked for none. Whether it
 * gives orders to a model at all, `givesOrders` says.
 */
export function ordersChange(text: string, { action, label, title }: DraftedChange, said: string): boolean {
  const verb = verbs[action]
  if (!verb || plainWords(said).match(verb)) return false
  const name = plainWords(title)
  return [...plainWords(text).matchAll(verb)].some(
    ([, object = '']) => synonyms[label]?.test(object) || (name.length > 3 && object.includes(name)),
  )
}
