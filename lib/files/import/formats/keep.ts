import { z } from 'zod'
import { nameAsTag } from '../../../core/text/properties/tag.ts'
import { parseAttachment } from '../file/attachment.ts'
import { decodeText } from '../file/decode.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { isoTime, linkTo, writeNote } from '../file/notebook.ts'

/** A note of Google Keep as Takeout writes it. Any other JSON is a file. */
export const format: Format = { extensions: ['.json'], makes: 'source_doc', atOnce: 256 * 1024, parse }

const Note = z.object({
  title: z.string().default(''),
  textContent: z.string().default(''),
  listContent: z
    .array(z.object({ text: z.string().default(''), isChecked: z.boolean().default(false) }))
    .default([]),
  isTrashed: z.boolean(),
  isPinned: z.boolean().default(false),
  isArchived: z.boolean().default(false),
  createdTimestampUsec: z.coerce.number().optional(),
  userEditedTimestampUsec: z.coerce.number(),
  labels: z.array(z.object({ name: z.string() })).default([]),
  attachments: z.array(z.object({ filePath: z.string(), mimetype: z.string().default('') })).default([]),
  annotations: z.array(z.object({ title: z.string().default(''), url: z.string().default('') })).default([]),
})

function parse(file: FileBytes): ParsedFile {
  const note = readNote(file.bytes)
  if (!note) return parseAttachment(file)
  const list = note.listContent.map(
    ({ text, isChecked }) => `- [${isChecked ? 'x' : ' '}] ${text.replace(/\s+/g, ' ')}`,
  )
  const pictures = note.attachments.map(({ filePath, mimetype }) =>
    mimetype.startsWith('image/') ? `![](${linkTo(filePath)})` : `[${filePath}](${linkTo(filePath)})`,
  )
  const links = note.annotations.flatMap(({ title, url }) =>
    /^https?:\/\/[^\s<>()]+$/i.test(url) && !note.textContent.includes(url)
      ? [`- [${title.replace(/[[\]\n]/g, ' ').trim() || url}](${url})`]
      : [],
  )
  const parts = [withBreaks(note.textContent), list.join('\n'), pictures.join('\n\n'), links.join('\n')]
  const states = [note.isPinned && 'pinned', note.isArchived && 'archived', note.isTrashed && 'trashed']
  const properties = {
    created: isoTime((note.createdTimestampUsec ?? 0) / 1000),
    updated: isoTime(note.userEditedTimestampUsec / 1000),
    tags: note.labels.flatMap(({ name }) => nameAsTag(name) ?? []),
    keep: states.filter((state) => state !== false),
  }
  const body = writeNote(properties, parts.filter((part) => part.trim() !== '').join('\n\n'))
  return { type: 'page', title: note.title.trim() || null, fields: { body }, warnings: [] }
}

function readNote(bytes: Uint8Array) {
  const text = decodeText(bytes)?.text ?? ''
  if (!/"userEditedTimestampUsec"/.test(text)) return null
  try {
    return Note.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Each line of a note is one that Markdown breaks, too. */
const withBreaks = (text: string) => text.replace(/\r\n?/g, '\n').replace(/([^\s\n])\n(?=[^\s\n])/g, '$1  \n')
