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
import { wordsOf } from './words/words.ts'

/** A list of texts: no passage reaches over two of them (messages); a blank line separates one from the next. */
export type SearchDocument = ChunkOwner & { text: string | readonly string[] }

type Passage = Pick<NewChunk, 'ordinal' | 'heading_path' | 'text' | 'start_line' | 'end_line'>

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
  const texts = typeof document.text === 'string' ? [document.text] : document.text
  return { owner, passages: passagesOf(owner.title, texts.map(cleanText)) }
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
  const given = withWords(owner.title, passages, range)
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
function passagesOf(title: string, texts: readonly string[]): Passage[] {
  let line = 0
  const chunks = texts.flatMap((text) => {
    const before = line
    line += text.split('\n').length + 1
    return chunkText(text, title).map((chunk) => ({
      ...chunk,
      start_line: before + chunk.start_line,
      end_line: before + chunk.end_line,
    }))
  })
  const empty = { text: '', heading_path: [], start_line: 1, end_line: 1 }
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

const placeOf = ({ ordinal, start_line, end_line }: Passage) => ({ ordinal, start_line, end_line })

/**
 * A word of the title counts three times, one of a heading twice: in the path and in the passage that it opens. A short
 * passage also gets the words of the texts beside it, which say what it is about.
 */
function withWords(title: string, passages: readonly Passage[], { from, to }: PassageRange): NewChunk[] {
  const titleWords = wordsOf(title)
  const first = Math.max(0, from - 2)
  const around = passages.slice(first, to + 2).map(({ text }) => wordsOf(text))

  return passages.slice(from, to).map((passage, index) => {
    const at = from - first + index
    const body = around[at]!
    const headings = passage.heading_path.flatMap(wordsOf)
    const words = [...titleWords, ...titleWords, ...titleWords, ...headings, ...body].join(' ')
    const besides = (distance: number) =>
      body.length < shortPassage
        ? [...(around[at - distance] ?? []), ...(around[at + distance] ?? [])].join(' ')
        : ''
    const [near, far] = [besides(1), besides(2)]
    const fingerprint = createHash('sha1').update(`${words}\n${near}\n${far}`).digest('base64')
    return { ...passage, words, near, far, fingerprint }
  })
}
