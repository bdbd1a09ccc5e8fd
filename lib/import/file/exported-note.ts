import { SkippedFile } from '../../vault/skipped-file.ts'
import { readVaultNote } from '../../vault/vault-note.ts'
import type { ParsedFile } from './format.ts'

const exportedKinds = ['page', 'task', 'project', 'ref', 'resource', 'page_view']

/** A file that an export of Void wrote, as the very entity that it was; `null` for any other Markdown. */
export function readExportedNote(bytes: Uint8Array): ParsedFile | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  if (!/^---[ \t]*\r?\nvoid: /.test(start)) return null
  // As it is: what an export wrote is UTF-8, and comes back to the byte.
  const note = readVaultNote(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  if (!note || !exportedKinds.includes(note.kind)) return null

  const { title, project, known_as, deleted, ...others } = note.properties
  if (deleted) throw new SkippedFile('it was in the trash when it was exported')
  return {
    type: note.kind,
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    fields: { ...others, body: note.body },
    ...(typeof project === 'string' && { references: { project_id: project } }),
    ...(Array.isArray(known_as) && { knownAs: known_as.filter((path) => typeof path === 'string') }),
    warnings: [],
  }
}
