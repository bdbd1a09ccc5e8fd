import { createHash } from 'node:crypto'
import { extensionOf } from '../../../core/text/paths.ts'

const types: Record<string, string> = {
  '.avif': 'image/avif',
  '.base': 'text/yaml',
  '.bib': 'text/x-bibtex',
  '.bmp': 'image/bmp',
  '.canvas': 'application/x-canvas',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.eml': 'message/rfc822',
  '.epub': 'application/epub+zip',
  '.flac': 'audio/flac',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.heic': 'image/heic',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.m4a': 'audio/mp4',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.ogg': 'audio/ogg',
  '.opml': 'text/x-opml',
  '.org': 'text/org',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.rst': 'text/x-rst',
  '.rtf': 'application/rtf',
  '.svg': 'image/svg+xml',
  '.tex': 'text/x-tex',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.yaml': 'text/yaml',
  '.yml': 'text/yaml',
  '.zip': 'application/zip',
}

/** The media type of a file's extension; `null` for an unknown one. */
export const mimeOf = (path: string): string | null => types[extensionOf(path)] ?? null

/** True if files of this type are read as text. An image in XML is not. */
export const isTextual = (mime: string): boolean =>
  mime.startsWith('text/') || mime === 'application/json' || mime === 'application/xml'

const signatures: readonly (readonly [string, readonly number[]])[] = [
  ['.png', [0x89, 0x50, 0x4e, 0x47]],
  ['.jpg', [0xff, 0xd8, 0xff]],
  ['.gif', [0x47, 0x49, 0x46, 0x38]],
  ['.bmp', [0x42, 0x4d]],
  ['.webp', [0x52, 0x49, 0x46, 0x46]],
  ['.svg', [...Buffer.from('<svg')]],
  ['.svg', [...Buffer.from('<?xml')]],
]

const signatureOf = (bytes: Uint8Array) =>
  signatures.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))

/** True for the pictures that `pictureName` knows. */
export const isPicture = (bytes: Uint8Array): boolean => signatureOf(bytes) !== undefined

/**
 * File name of a document's picture: derived from its content alone, so that text and file agree regardless of
 * location.
 */
export function pictureName(bytes: Uint8Array): string {
  const match = signatureOf(bytes)
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return `picture-${digest}${match?.[0] ?? '.bin'}`
}
