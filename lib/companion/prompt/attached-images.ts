// Images that came with messages. A history names them, and their bytes are put in place when the model is asked: of
// the newest ones, within what a request may hold. An older one, or one that is gone from the Space, is a note.

import type { ContentBlock, ModelMessage } from '../../ai/model.ts'
import type { GivenText } from '../../changes/grounding/given-text.ts'
import type { AttachedFile } from '../../contract/companion/companion.ts'
import { isImageType } from '../../contract/companion/image-type.ts'
import { maxImageBytes, maxMessageImageBytes } from '../../contract/trust.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Queryable } from '../../db/pool.ts'
import { createSourceDocsRepo } from '../../db/repos/source_docs.ts'
import { outcomeLine } from './load-outcomes.ts'

/** Images in one request, and bytes of them. From 21 images on the API takes only small ones. */
const maxImages = 20
const maxBytes = maxMessageImageBytes

type NamedImage = { type: 'image'; source: { type: 'attachment'; file: AttachedFile } }

/** Around what Void says of the images of a message. */
const frame = (...lines: string[]) => ['<attached_images>', ...lines, '</attached_images>'].join('\n')

/** What stands before the words of a message for the images that came with it. */
export function nameImages(files: readonly AttachedFile[]): ContentBlock[] {
  const images = files.filter(({ mime }) => isImageType(mime))
  if (images.length === 0) return []
  const named: NamedImage[] = images.map((file) => ({ type: 'image', source: { type: 'attachment', file } }))
  const lines = images.map(({ id, title }) => outcomeLine({ source_doc: id, name: title }))
  const about = 'The images before this came with the message, in this order. Written by Void.'
  return [...named, { type: 'text', text: frame(about, ...lines) }]
}

/** A message that is given as text alone says which files came with it. */
export const withFileNames = (body: string, files: readonly AttachedFile[] | null): string =>
  files?.length
    ? `${body}\n\n[Void: attached: ${files.map(({ title }) => quoteName(title, 30)).join(', ')}]`
    : body

/** The messages with the bytes of their images, and the images that are among them. */
export async function loadImages(
  db: Queryable,
  spaceId: string,
  messages: readonly ModelMessage[],
): Promise<{ messages: ModelMessage[]; shown: AttachedFile[] }> {
  const named = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(isNamed),
  )
  const loaded = new Map<NamedImage, ContentBlock>()
  const repo = createSourceDocsRepo(db)
  const ids = named.map(({ source }) => source.file.id)
  const present = new Set(ids.length > 0 ? (await repo.listHeads(spaceId, ids)).map(({ id }) => id) : [])
  let [images, bytes] = [0, 0]
  for (const block of named.toReversed()) {
    const { file } = block.source
    if (!present.has(file.id)) continue
    images += 1
    bytes += file.size
    if (images > maxImages || bytes > maxBytes) break
    const data = await repo.loadBytes(spaceId, file.id, { from: 0, to: maxImageBytes - 1 })
    if (data) loaded.set(block, toImage(file.mime, data))
  }
  const place = (block: ContentBlock) => (isNamed(block) ? (loaded.get(block) ?? toNote(block)) : block)
  return {
    messages: messages.map(({ role, content }) =>
      typeof content === 'string' ? { role, content } : { role, content: content.map(place) },
    ),
    shown: named.filter((block) => loaded.has(block)).map(({ source }) => source.file),
  }
}

/** Images as sources of what a model drafts; their words cannot be known. */
export const toGiven = (images: readonly AttachedFile[], now: readonly AttachedFile[]): GivenText[] =>
  images.map(({ id, title }) => ({
    entity_type: 'source_doc',
    entity_id: id,
    title,
    given_by: 'read',
    texts: [title],
    in_turn: now.some((file) => file.id === id),
  }))

const toImage = (media_type: string, bytes: Buffer): ContentBlock => ({
  type: 'image',
  source: { type: 'base64', media_type, data: bytes.toString('base64') },
})

const toNote = ({ source: { file } }: NamedImage): ContentBlock => ({
  type: 'text',
  text: frame(
    outcomeLine({ source_doc: file.id, name: file.title }),
    'This image is no longer shown. The owner can attach it again. Written by Void.',
  ),
})

const isNamed = (block: ContentBlock): block is NamedImage =>
  block.type === 'image' &&
  'source' in block &&
  typeof block.source === 'object' &&
  block.source !== null &&
  'file' in block.source
