// The owner's message as a model gets it: what became of drafts before it, images with it, then the words.

import { isText } from '../../ai/history/normalize-response.ts'
import type { ContentBlock, ModelMessage } from '../../ai/model.ts'
import { renderPrompt } from '../../ai/prompts/prompts.ts'
import type { GivenText } from '../../changes/grounding/provenance.ts'
import type { AttachedFile, Mention, MessageContext } from '../../contract/companion/companion.ts'
import { imageTypeOf, isImageType } from '../../contract/companion/image-type.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { maxImageBytes, maxMessageImageBytes } from '../../contract/limits.ts'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Queryable } from '../../db/pool.ts'
import { createConversationAttachmentsRepo } from '../../db/repos/conversation_attachments.ts'
import type { OutcomeName } from '../../db/repos/delivered_outcomes.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createSourceDocsRepo, type FileHead } from '../../db/repos/files.ts'

const opening = '<draft_outcomes>'
const closing = '</draft_outcomes>'

/** What the prompt says about it. */
export const aboutOutcomes = renderPrompt('outcomes', { opening, closing })

/** `line` is one of `outcomeLine`; empty: only counted. */
export type OutcomeLine = { outcome: OutcomeName; line: string }

/** One outcome as a line of the block. */
export function outcomeLine(outcome: Record<string, unknown>): string {
  return JSON.stringify(outcome).replace(
    /[<>&\u2028\u2029\u0085]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The message with the owner's words, after the block of outcomes, what came with them, and when they were sent. */
export function toQuestion(
  text: string,
  delivered: readonly OutcomeLine[],
  { attached = [], time }: { attached?: readonly ContentBlock[]; time?: string } = {},
): ModelMessage {
  // Words of the owner that look like the block (quoted from somewhere) come after a real one, if an empty one.
  const isPlain = delivered.length === 0 && !/<\/?\s*draft_outcomes/i.test(text)
  if (isPlain && attached.length === 0 && time === undefined) return { role: 'user', content: text }
  const outcomes: ContentBlock[] = isPlain ? [] : [{ type: 'text', text: renderBlock(delivered) }]
  const sent: ContentBlock[] =
    time === undefined ? [] : [{ type: 'text', text: `<message_time>${time}</message_time>` }]
  return { role: 'user', content: [...outcomes, ...attached, ...sent, { type: 'text', text }] }
}

/** The owner's local time as people write it, with the zone. */
export function localTime(instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone },
  })
  return `${format.format(instant)} (${timeZone})`
}

/**
 * The repaired messages with the block at the head of the last one: a question that was never answered is joined with
 * the next, and would come before it.
 */
export function leadWithBlock(messages: readonly ModelMessage[], question: ModelMessage): ModelMessage[] {
  const last = messages.at(-1)
  const block = Array.isArray(question.content) ? question.content[0] : undefined
  const leads = block && isText(block) && block.text.startsWith(opening)
  if (!leads || !last || !Array.isArray(last.content)) return [...messages]
  const results = last.content.filter(({ type }) => type === 'tool_result')
  const rest = last.content.filter((each) => each !== block && each.type !== 'tool_result')
  return [...messages.slice(0, -1), { role: last.role, content: [...results, block, ...rest] }]
}

function renderBlock(delivered: readonly OutcomeLine[]): string {
  const lines = delivered.map(({ line }) => line).filter((line) => line !== '')
  const counted = delivered.filter(({ line }) => line === '').map(({ outcome }) => outcome)
  if (counted.length > 0) lines.push(outcomeLine({ not_listed: countEach(counted) }))
  return [opening, ...lines, closing].join('\n')
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

// Images that came with messages. A history names them, and their bytes are put in place when the model is asked: of
// the newest ones, within what a request may hold. An older one, or one that is gone from the Space, is a note.

/** Images in one request, and bytes of them. From 21 images on the API takes only small ones. */
const maxImages = 20
const maxBytes = maxMessageImageBytes

type NamedImage = {
  type: 'image'
  /** `screenshot`: it is kept with the conversation, and is no file of the Space. */
  source: { type: 'attachment' | 'screenshot'; file: AttachedFile }
}

type WithImages = {
  [Name in keyof Pick<MessageContext, 'attachments' | 'screenshot'>]?: MessageContext[Name] | null
}

/** Around what Void says of the images of a message. */
const frame = (...lines: string[]) => ['<attached_images>', ...lines, '</attached_images>'].join('\n')

/** What stands before the words of a message for the images that came with it. */
export function nameImages({ attachments, screenshot }: WithImages): ContentBlock[] {
  const images = (attachments ?? []).filter(({ mime }) => isImageType(mime))
  const named: NamedImage[] = images.map((file) => ({ type: 'image', source: { type: 'attachment', file } }))
  if (screenshot)
    named.unshift({
      type: 'image',
      source: { type: 'screenshot', file: { ...screenshot, title: shotTitle } },
    })
  if (named.length === 0) return []
  const lines = named.map(imageLine)
  const about = 'The images before this came with the message, in this order. Written by Void.'
  return [...named, { type: 'text', text: frame(about, ...lines) }]
}

const shotTitle = 'Screenshot'

const imageLine = ({ source: { type, file } }: NamedImage): string =>
  outcomeLine({ ...(type === 'attachment' ? { source_doc: file.id } : {}), name: file.title })

/** A message that is given as text alone says which files came with it. */
export function withFileNames(body: string, { attachments, screenshot }: WithImages): string {
  const names = [
    ...(screenshot ? [shotTitle] : []),
    ...(attachments ?? []).map(({ title }) => quoteName(title, 30)),
  ]
  return names.length > 0 ? `${body}\n\n[Void: attached: ${names.join(', ')}]` : body
}

/** The messages with the bytes of their images, and the images that are among them. */
export async function loadImages(
  db: Queryable,
  { space_id, conversation_id }: { space_id: string; conversation_id: string | null },
  messages: readonly ModelMessage[],
): Promise<{ messages: ModelMessage[]; shown: NamedImage['source'][] }> {
  const named = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(isNamed),
  )
  const loaded = new Map<NamedImage, ContentBlock>()
  const repo = createSourceDocsRepo(db)
  const ofSpace = named.filter(({ source }) => source.type === 'attachment')
  const ids = ofSpace.map(({ source }) => source.file.id)
  const present = new Set(ids.length > 0 ? (await repo.listHeads(space_id, ids)).map(({ id }) => id) : [])
  let [images, bytes] = [0, 0]
  for (const block of named.toReversed()) {
    const { type, file } = block.source
    if (type === 'attachment' && !present.has(file.id)) continue
    images += 1
    bytes += file.size
    if (images > maxImages || bytes > maxBytes) break
    const data =
      type === 'attachment'
        ? await repo.loadBytes(space_id, file.id, { from: 0, to: maxImageBytes - 1 })
        : conversation_id &&
          (await createConversationAttachmentsRepo(db).find(conversation_id, file.id))?.bytes
    if (data) loaded.set(block, toImage(file.mime, data))
  }
  const place = (block: ContentBlock) => (isNamed(block) ? (loaded.get(block) ?? toNote(block)) : block)
  return {
    messages: messages.map(({ role, content }) =>
      typeof content === 'string' ? { role, content } : { role, content: content.map(place) },
    ),
    shown: named.filter((block) => loaded.has(block)).map(({ source }) => source),
  }
}

/** Images as sources of what a model drafts; their words cannot be known. `now`: what came with the message that is answered. */
export function toGiven(images: readonly NamedImage['source'][], now: WithImages): GivenText[] {
  const sent = new Set([now.screenshot?.id, ...(now.attachments ?? []).map(({ id }) => id)])
  return images.map(({ type, file: { id, title } }) => ({
    entity_type: type === 'screenshot' ? type : 'source_doc',
    entity_id: id,
    title,
    given_by: 'read',
    texts: [title],
    in_turn: sent.has(id),
  }))
}

/** An image as a block of a request. */
export const toImage = (media_type: string, bytes: Buffer): ContentBlock => ({
  type: 'image',
  source: { type: 'base64', media_type, data: bytes.toString('base64') },
})

const toNote = (image: NamedImage): ContentBlock => ({
  type: 'text',
  text: frame(
    imageLine(image),
    'This image is no longer shown. The owner can attach it again. Written by Void.',
  ),
})

const isNamed = (block: ContentBlock): block is NamedImage =>
  block.type === 'image' &&
  'source' in block &&
  typeof block.source === 'object' &&
  block.source !== null &&
  'file' in block.source

/**
 * Files that come with a message, each once. Throws an `AppError`: 404 for one that is not in the Space, 400 for an
 * image that no model takes, 413 for one that is too large.
 */
export async function findAttachedFiles(
  { database }: { database: Queryable },
  spaceId: string,
  ids: readonly string[],
): Promise<AttachedFile[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await createSourceDocsRepo(database).listHeads(spaceId, wanted)
  const heads = new Map(found.map((head) => [head.id, head]))
  const files = wanted.map((id) => {
    const head = heads.get(id)
    if (!head) throw notFound('file', id)
    return toAttachedFile(head)
  })
  const images = files.filter(({ mime }) => isImageType(mime)).reduce((sum, { size }) => sum + size, 0)
  if (images > maxMessageImageBytes)
    throw tooLarge(`The images of one message may have ${inMegabytes(maxMessageImageBytes)} together`, images)
  return files
}

function toAttachedFile({ id, title, mime, size, head }: FileHead): AttachedFile {
  const type = head && imageTypeOf(head)
  // A drawing in SVG is a text, and read as one.
  if (!type && mime.startsWith('image/') && mime !== 'image/svg+xml')
    throw invalid(`${quoteName(title, 40)} cannot be shown to a model. Attach a PNG, JPEG, GIF or WebP.`)
  if (type && size > maxImageBytes)
    throw tooLarge(
      `${quoteName(title, 40)} is too large: an image may have ${inMegabytes(maxImageBytes)}`,
      size,
    )
  return { id, title, mime: type ?? mime, size }
}

const tooLarge = (limit: string, size: number) =>
  new AppError('too_large', 413, `${limit}, not ${inMegabytes(size)}.`)

const inMegabytes = (bytes: number) => `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MB`

/** Pages that a message names, each once. Throws a 404 `AppError` for one that is not in the Space. */
export async function findMentionedPages(
  { database, kinds }: { database: Queryable; kinds: Kinds },
  spaceId: string,
  ids: readonly string[],
): Promise<Mention[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await createEntitiesRepo(database).listTitles(kinds.get('page'), [spaceId], wanted)
  const titles = new Map(found.map(({ id, title }) => [id, title]))
  return wanted.map((id) => {
    const title = titles.get(id)
    if (title === undefined) throw notFound('page', id)
    return { id, title }
  })
}
