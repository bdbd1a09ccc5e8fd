import { createHash } from 'node:crypto'
import { maxBodyLength } from '../../entities/fields.ts'
import { baseName } from '../../vault/file-name.ts'
import { type Decoded, decodeText } from './decode.ts'
import type { FileBytes, ParsedFile } from './format.ts'
import { isTextual, mimeOf } from './mime.ts'

/**
 * Any file that no format claims, as a source document: its bytes as they are, and its text if it has one. An unknown
 * extension counts as text when the bytes are plain UTF-8.
 */
export function parseAttachment({ path, bytes }: FileBytes): ParsedFile {
  const known = mimeOf(path)
  const decoded = known && !isTextual(known) ? null : decodeText(bytes)
  const text = known || decoded?.encoding === 'utf-8' ? decoded : null

  return {
    type: 'source_doc',
    title: baseName(path),
    fields: {
      mime: known ?? (text ? 'text/plain' : 'application/octet-stream'),
      text: text?.text.slice(0, maxBodyLength) ?? '',
      metadata: { path, size: bytes.length },
    },
    hidden: { original: Buffer.from(bytes), sha256: createHash('sha256').update(bytes).digest('hex') },
    warnings: text ? warningsAbout(text) : [],
  }
}

function warningsAbout({ text, encoding }: Decoded): string[] {
  return [
    ...(text.length > maxBodyLength
      ? ['it is long; only its first 2,000,000 characters can be searched']
      : []),
    ...(encoding === 'windows-1252' ? ['it is not UTF-8; read as Windows-1252'] : []),
  ]
}
