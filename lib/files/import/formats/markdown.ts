import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { splitFrontMatter } from '../../../core/text/markdown.ts'
import { readProperties } from '../../../core/text/properties/read-properties.ts'
import { SkippedFile } from '../../vault/paths.ts'
import { readVaultNote } from '../../vault/vault-note.ts'
import { decodeText } from '../file/decode.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'

/**
 * Markdown becomes a page, or the original entity if Void exported it. The front matter stays at the top of the body,
 * so that an export can restore it.
 */
export const format: Format = {
  extensions: ['.md', '.markdown', '.mdown'],
  makes: 'page',
  atOnce: 256 * 1024,
  parse,
}

function parse({ bytes }: FileBytes): ParsedFile {
  const exported = readExportedNote(bytes)
  if (exported) return exported

  const decoded = decodeText(bytes)
  if (!decoded) throw new SkippedFile('it is not text, despite its name')

  // Normalizes line breaks, so that quotations by agents and people match.
  const body = decoded.text.replace(/\r\n?/g, '\n')
  if (body.length > maxBodyLength) {
    throw new SkippedFile(`it has ${count(body.length)} characters; a page holds ${count(maxBodyLength)}`)
  }

  const { properties, problem } = readProperties(splitFrontMatter(body).yaml)
  const { title, position } = properties
  return {
    type: 'page',
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    fields: { body, ...(isPosition(position) && { position }) },
    warnings: [
      ...(problem ? [`its front matter cannot be read: ${firstLine(problem)}`] : []),
      ...(decoded.encoding === 'windows-1252' ? ['it is not UTF-8; read as Windows-1252'] : []),
    ],
  }
}

const isPosition = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 1_000_000

const firstLine = (text: string) => text.split('\n', 1)[0]?.replace(/[.:]$/, '') ?? ''

const count = (number: number) => number.toLocaleString('en-US')

const exportedKinds = ['page', 'task', 'project', 'ref', 'resource', 'page_view']

/** The original entity of a file exported by Void; `null` for any other Markdown. */
export function readExportedNote(bytes: Uint8Array): ParsedFile | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  if (!/^---[ \t]*\r?\nvoid: /.test(start)) return null
  // Unchanged: exports are UTF-8, and are restored to the byte.
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
