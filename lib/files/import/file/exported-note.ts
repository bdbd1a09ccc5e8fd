// The original entity of a Markdown file that Void exported.

import { readNoteText } from '../../vault/note-bytes.ts'
import { readOlderNote } from '../../vault/older-note.ts'
import { readVaultNote, type VaultNote } from '../../vault/vault-note.ts'
import type { FileBytes, ParsedFile } from './format.ts'
import { positionIn, titleIn } from './note-fields.ts'

const kinds = ['page', 'task', 'project', 'ref', 'resource', 'page_view']

/** Exports are UTF-8, and are restored to the byte. */
export const decodeExact = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** `null` for any other Markdown. */
export function readExportedNote({ path, bytes }: FileBytes): ParsedFile | null {
  const start = new TextDecoder().decode(bytes.subarray(0, 200))
  if (!/^---[ \t]*\r?\n/.test(start)) return null
  const older = /^---[ \t]*\r?\nvoid: /.test(start) ? readOlderNote(decodeExact(bytes)) : null
  // A note that was edited has the byte order mark and the line breaks of the file that it was.
  const { text } = readNoteText(bytes)
  const note = older ?? (text === null ? null : readVaultNote(text))
  if (!note || !kinds.includes(note.kind)) return null
  const isPlain = older !== null || Buffer.compare(Buffer.from(text!), bytes) === 0
  return { ...restoreNote(note, path), ...(note.kind === 'page' && !isPlain && { exact: bytes }) }
}

export function restoreNote({ kind, properties, body }: VaultNote, path: string): ParsedFile {
  const { title, project, known_as, deleted, ...others } = properties
  return {
    type: kind,
    title:
      typeof title === 'string' && title.trim() !== '' ? title : kind === 'page' ? titleIn(body, path) : null,
    fields: { ...(kind === 'page' ? positionIn(body) : {}), ...others, body },
    ...(typeof project === 'string' && { references: { project_id: project } }),
    ...(Array.isArray(known_as) && { knownAs: known_as.filter((path) => typeof path === 'string') }),
    ...(deleted === true && { skip: 'it was in the trash when it was exported' }),
    warnings: [],
  }
}
