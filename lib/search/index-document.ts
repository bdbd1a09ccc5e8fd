import { createHash } from 'node:crypto'
import type { Queryable } from '../db/pool.ts'
import {
  type Analysis,
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
import { cleanText } from '../text/clean.ts'
import { chunkText } from './chunk.ts'
import { indexWordsOf } from './words/index-words.ts'

/** A message and whose it is; '' where that is not known. */
type Message = { speaker: string; text: string }

/** Of messages: no passage reaches over two of them; a blank line separates one from the next. */
export type SearchDocument = ChunkOwner & { text: string | readonly Message[] }

type Passage = Pick<NewChunk, 'ordinal' | 'heading_path' | 'text' | 'start_line' | 'end_line'> & {
  speaker: string
}

/** Passages indexed in one statement. */
const batchSize = 100
/** A passage of fewer words is also known by its neighbours'. */
const shortPassage = 100
/** Characters up to which a text is indexed as it is written; a longer one takes a second or more. */
export const maxIndexedAtOnce = 100_000
/** Of a text that is indexed later: what is found of it until then. */
const headLength = 20_000

/** A document cut into passages. */
export type CutDocument = { owner: ChunkOwner; passages: readonly Passage[] }

export function cutDocument(document: SearchDocument): CutDocument {
  const owner = { ...document, title: cleanText(document.title) }
  const messages = typeof document.text === 'string' ? [{ speaker: '', text: document.text }] : document.text
  return { owner, passages: passagesOf(owner.title, messages) }
}

/**
 * Makes the stored passages of an entity those of the document; ones that are as they were stay, so that saving a long
 * page after a small change costs little. Tells what was deleted.
 */
export async function indexDocument(
  tx: Queryable,
  document: SearchDocument,
  analysis: Analysis,
): Promise<RemovedChunk[]> {
  return await indexRange(tx, cutDocument(document), everyPassage, analysis)
}

/** As `indexDocument`, for the passages in a range alone. */
export async function indexRange(
  tx: Queryable,
  { owner, passages }: CutDocument,
  range: PassageRange,
  analysis: Analysis,
): Promise<RemovedChunk[]> {
  const given = withWords(owner, passages, range)
  const chunks = await listChunks(tx, owner.entity_id, range)
  const stored = new Map(chunks.map((chunk) => [chunk.ordinal, chunk]))
  const isSame = (passage: NewChunk, chunk: StoredChunk | undefined) =>
    chunk?.analysis === analysis.name && isAsBefore(owner, passage, chunk)
  const same = given.filter((passage) => isSame(passage, stored.get(passage.ordinal)))
  const kept = new Set(same.map(({ ordinal }) => ordinal))

  const removed = kept.size < stored.size ? await deleteChunks(tx, owner.entity_id, [...kept], range) : []
  const moved = same.filter(({ ordinal, start_line }) => stored.get(ordinal)?.start_line !== start_line)
  if (moved.length > 0) await moveChunks(tx, owner.entity_id, moved.map(placeOf))
  const weighed = given.filter(({ ordinal }) => !kept.has(ordinal) || !stored.get(ordinal)?.well_weighed)
  for (let from = 0; from < weighed.length; from += batchSize) {
    await storeChunks(tx, owner, weighed.slice(from, from + batchSize), analysis)
  }
  return removed
}

/** Leaves a document to be indexed later. Until then it is found as it was; a new one by its beginning. */
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

/** Every entity has a passage, if only an empty one, so that its title is found. */
function passagesOf(title: string, messages: readonly Message[]): Passage[] {
  let line = 0
  const chunks = messages.flatMap(({ speaker, ...message }) => {
    const text = cleanText(message.text)
    const before = line
    line += text.split('\n').length + 1
    return chunkText(text, title).map((chunk) => ({
      ...chunk,
      speaker,
      start_line: before + chunk.start_line,
      end_line: before + chunk.end_line,
    }))
  })
  const empty = { text: '', speaker: '', heading_path: [], start_line: 1, end_line: 1 }
  return (chunks.length > 0 ? chunks : [empty]).map((chunk, ordinal) => ({ ...chunk, ordinal }))
}

function isAsBefore(owner: ChunkOwner, passage: NewChunk, stored: StoredChunk): boolean {
  return (
    stored.space_id === owner.space_id &&
    stored.entity_type === owner.entity_type &&
    stored.title === owner.title &&
    stored.text === passage.text &&
    stored.fingerprint === passage.fingerprint &&
    stored.heading_path.join('\n') === passage.heading_path.join('\n')
  )
}

const placeOf = ({ ordinal, start_line, end_line }: Omit<Passage, 'speaker'>) => ({
  ordinal,
  start_line,
  end_line,
})

/**
 * A word of the title or of the speaker's name counts three times, one of a heading twice: in the path and in the passage
 * that it opens. A short passage also gets the words of the texts beside it, which say what it is about: two to either
 * side, of messages three.
 */
function withWords(
  { title, entity_type }: ChunkOwner,
  passages: readonly Passage[],
  { from, to }: PassageRange,
): NewChunk[] {
  const titleWords = indexWordsOf(title)
  const reach = entity_type === 'conversation' ? 3 : 2
  const first = Math.max(0, from - reach)
  const around = passages.slice(first, to + reach).map(({ text }) => indexWordsOf(text))

  return passages.slice(from, to).map(({ speaker, ...passage }, index) => {
    const at = from - first + index
    const body = around[at]!
    const headings = passage.heading_path.flatMap(indexWordsOf)
    const named = [...titleWords, ...indexWordsOf(speaker)]
    const words = [...named, ...named, ...named, ...headings, ...body].join(' ')
    const besides = (distance: number) =>
      body.length < shortPassage ? [...(around[at - distance] ?? []), ...(around[at + distance] ?? [])] : []
    const near = besides(1).join(' ')
    const far = (reach > 2 ? [...besides(2), ...besides(3)] : besides(2)).join(' ')
    const fingerprint = createHash('sha1').update(`${words}\n${near}\n${far}`).digest('base64')
    return { ...passage, words, near, far, fingerprint }
  })
}
