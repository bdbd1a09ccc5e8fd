// The original entity of a Markdown file that Void exported.

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
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  if (!/^---[ \t]*\r?\n/.test(start)) return null
  const text = decodeExact(bytes)
  const note = (/^---[ \t]*\r?\nvoid: /.test(start) ? readOlderNote(text) : null) ?? readVaultNote(text)
  return note && kinds.includes(note.kind) ? restoreNote(note, path) : null
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
