import { hash } from 'node:crypto'
import { chunkText } from '../core/text/chunk.ts'
import { cleanText } from '../core/text/clean.ts'
import { untitled } from '../core/text/paths.ts'
import type { Queryable } from '../db/pool.ts'
import {
  type Analysis,
  analyseTexts,
  type ChunkOwner,
  deleteChunks,
  everyPassage,
  listChunks,
  markDeferred,
  moveChunks,
  type NewChunk,
  type PassageRange,
  type RemovedChunk,
  type StoredChunk,
  storeChunks,
} from '../db/repos/chunks.ts'
import { type Counted, indexWordsOf, sparseVector, weighPassage } from './words/index-words.ts'

/** A message and its speaker; '' if unknown. `share`: how much its words count. Default: 1. */
type Message = { speaker?: string; text: string; share?: number }

/** Passages of messages never span two of them; a blank line separates one from the next. */
export type SearchDocument = ChunkOwner & { text: string | readonly Message[] }

type Passage = Pick<NewChunk, 'ordinal' | 'heading_path' | 'text' | 'start_line' | 'end_line'> & {
  speaker: string
  share: number
}

/** The analysed words of names and headings, and of the text. */
type Text = { named: string; body: string; isShort: boolean; share: number }

/** A passage with its own words and the neighbouring texts that it can also be found by. */
type Words = Omit<Passage, 'speaker' | 'share'> & {
  own: Text
  near: readonly Text[]
  far: readonly Text[]
  fingerprint: string
}

/** Weights of words from adjacent and from more distant passages. */
const nearShare = 0.35
const farShare = 0.175

/** Passages indexed per statement. */
const batchSize = 100
/** Passages with fewer words are also indexed by their neighbours' words. */
const shortPassage = 100
/** Maximum characters of a text that is indexed when it is written; a longer one takes a second or more. */
export const maxIndexedAtOnce = 100_000
/** Searchable characters of a text whose indexing is deferred. */
const headLength = 20_000

/** A document cut into passages. */
export type CutDocument = { owner: ChunkOwner; passages: readonly Passage[] }

export function cutDocument(document: SearchDocument): CutDocument {
  const owner = { ...document, title: cleanText(document.title) }
  const messages = typeof document.text === 'string' ? [{ text: document.text }] : document.text
  return { owner, passages: passagesOf(owner.title, messages) }
}

/**
 * Replaces an entity's stored passages with the document's. Unchanged passages stay, so that saving a long page after a
 * small change is cheap. Returns the deleted passages.
 */
export async function indexDocument(
  tx: Queryable,
  document: SearchDocument,
  analysis: Analysis,
): Promise<RemovedChunk[]> {
  return await indexRange(tx, cutDocument(document), everyPassage, analysis)
}

/** Like `indexDocument`, but only for the passages in a range. */
export async function indexRange(
  tx: Queryable,
  { owner, passages }: CutDocument,
  range: PassageRange,
  analysis: Analysis,
): Promise<RemovedChunk[]> {
  const inputs = cutWords(owner, passages, range)
  const chunks = await listChunks(tx, owner.entity_id, range)
  const storedByOrdinal = new Map(chunks.map((chunk) => [chunk.ordinal, chunk]))
  const isSame = (passage: Words, chunk: StoredChunk | undefined) =>
    chunk?.analysis === analysis.name && isAsBefore(owner, passage, chunk)
  const same = inputs.filter((passage) => isSame(passage, storedByOrdinal.get(passage.ordinal)))
  const unchanged = new Set(same.map(({ ordinal }) => ordinal))

  const removed =
    unchanged.size < storedByOrdinal.size
      ? await deleteChunks(tx, owner.entity_id, [...unchanged], range)
      : []
  const moved = same.filter(
    ({ ordinal, start_line }) => storedByOrdinal.get(ordinal)?.start_line !== start_line,
  )
  if (moved.length > 0) await moveChunks(tx, owner.entity_id, moved.map(placeOf))
  const weighed = inputs.filter(
    ({ ordinal }) => !unchanged.has(ordinal) || !storedByOrdinal.get(ordinal)?.well_weighed,
  )
  for (let from = 0; from < weighed.length; from += batchSize) {
    const chunks = await weigh(tx, owner, weighed.slice(from, from + batchSize), analysis)
    await storeChunks(tx, owner, chunks, analysis)
  }
  return removed
}

/** Defers a document's indexing. Until then the previous version is searchable, or the beginning of a new document. */
export async function deferDocument(
  tx: Queryable,
  document: SearchDocument & { text: string },
  analysis: Analysis,
): Promise<RemovedChunk[]> {
  if (await markDeferred(tx, document.entity_id)) return []
  const head = document.text.slice(0, headLength)
  const removed = await indexDocument(tx, { ...document, text: head }, analysis)
  await markDeferred(tx, document.entity_id)
  return removed
}

/** Every entity has at least an empty passage, so that its title is searchable. */
function passagesOf(title: string, messages: readonly Message[]): Passage[] {
  let line = 0
  const chunks = messages.flatMap(({ speaker = '', share = 1, ...message }) => {
    const text = cleanText(message.text)
    const before = line
    line += text.split('\n').length + 1
    return chunkText(text, title).map((chunk) => ({
      ...chunk,
      speaker,
      share,
      start_line: before + chunk.start_line,
      end_line: before + chunk.end_line,
    }))
  })
  const empty = { text: '', speaker: '', share: 1, heading_path: [], start_line: 1, end_line: 1 }
  return (chunks.length > 0 ? chunks : [empty]).map((chunk, ordinal) => ({ ...chunk, ordinal }))
}

function isAsBefore(owner: ChunkOwner, passage: Words, stored: StoredChunk): boolean {
  return (
    stored.space_id === owner.space_id &&
    stored.entity_type === owner.entity_type &&
    stored.title === owner.title &&
    stored.text === passage.text &&
    stored.fingerprint === passage.fingerprint &&
    stored.heading_path.join('\n') === passage.heading_path.join('\n')
  )
}

const placeOf = ({ ordinal, start_line, end_line }: Omit<Passage, 'speaker' | 'share'>) => ({
  ordinal,
  start_line,
  end_line,
})

/**
 * Words of the title or of the speaker's name count three times, words of a heading twice: in the path and in the
 * passage that it opens. A short passage also gets the words of its neighbours, which give it context: two on either
 * side, three for messages.
 */
function cutWords(
  { title, entity_type }: ChunkOwner,
  passages: readonly Passage[],
  { from, to }: PassageRange,
): Words[] {
  // A title that nobody gave says nothing; without a text it is all there is.
  const isNamed = title !== untitled || passages.every(({ text }) => text === '')
  const titleWords = isNamed ? indexWordsOf(title) : []
  const reach = entity_type === 'conversation' ? 3 : 2
  const first = Math.max(0, from - reach)
  const texts = passages.slice(first, to + reach).map(({ speaker, share, heading_path, text }): Text => {
    const names = [...titleWords, ...indexWordsOf(speaker)]
    const nameWords = [...names, ...names, ...names, ...heading_path.flatMap(indexWordsOf)].join(' ')
    const body = indexWordsOf(text)
    return { named: nameWords, body: body.join(' '), isShort: body.length < shortPassage, share }
  })

  return passages.slice(from, to).map(({ speaker, share, ...passage }, index) => {
    const at = from - first + index
    const own = texts[at]!
    const besides = (distance: number) =>
      own.isShort ? [texts[at - distance], texts[at + distance]].filter((text) => text !== undefined) : []
    const near = besides(1)
    const far = reach > 2 ? [...besides(2), ...besides(3)] : besides(2)
    const words = [[own.named, own.body], near.map(({ body }) => body), far.map(({ body }) => body)]
    const counts = share === 1 ? [] : [String(share)]
    const fingerprint = hash('sha1', [...words.map(joinWords), ...counts].join('\n'), 'base64')
    return { ...passage, own, near, far, fingerprint }
  })
}

const joinWords = (texts: readonly string[]) => texts.filter((words) => words !== '').join(' ')

/** Each text is analysed once, even if it is next to several passages. */
async function weigh(
  tx: Queryable,
  owner: ChunkOwner,
  passages: readonly Words[],
  analysis: Analysis,
): Promise<NewChunk[]> {
  const texts = [...new Set(passages.flatMap(({ own, near, far }) => [own, ...near, ...far]))]
  const { average, texts: analysed } = await analyseTexts(tx, owner, texts, analysis)
  const wordsByText = new Map(texts.map((text, at) => [text, analysed[at]!]))
  const bodies = (beside: readonly Text[], share: number): Counted[] =>
    beside.map((text) => ({ lexemes: wordsByText.get(text)!.body, share: share * text.share }))

  return passages.map(({ own, near, far, ...passage }) => {
    const { tsv, named, body } = wordsByText.get(own)!
    const beside = [...bodies(near, nearShare), ...bodies(far, farShare)]
    const counted = [{ lexemes: named, share: 1 }, { lexemes: body, share: own.share }, ...beside]
    const around = new Set(beside.flatMap(({ lexemes }) => [...lexemes.keys()]))
    return {
      ...passage,
      tsv,
      average_length: average,
      bm: sparseVector(weighPassage(counted, average)),
      around: owner.entity_type === 'conversation' ? [...around] : null,
    }
  })
}
