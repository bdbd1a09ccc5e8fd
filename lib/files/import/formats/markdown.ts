import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { textOf } from '../../../contract/entities/kind.ts'
import { splitFrontMatter } from '../../../core/text/markdown.ts'
import { readProperties } from '../../../core/text/properties/read-properties.ts'
import { SkippedFile } from '../../vault/paths.ts'
import { originalOf } from '../file/attachment.ts'
import { decodeText, encodingWarnings } from '../file/decode.ts'
import { readExportedNote } from '../file/exported-note.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { positionIn, titleIn } from '../file/note-fields.ts'
import { noteText } from '../file/note-text.ts'

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

function parse(file: FileBytes): ParsedFile {
  const { bytes } = file
  const exported = readExportedNote(file)
  if (exported) return exported

  const decoded = decodeText(bytes)
  if (!decoded) throw new SkippedFile('it is not text, despite its name')
  const note = readNote(decoded.text, file.path)
  const isExact = Buffer.compare(Buffer.from(textOf(note.fields.body)), bytes) === 0
  return {
    ...note,
    ...(isExact ? {} : { exact: bytes }),
    ...(decoded.guessed && { readAs: decoded.encoding }),
    attached: decoded.guessed ? [originalOf(file)] : [],
    warnings: [...note.warnings, ...encodingWarnings(decoded)],
  }
}

/** Throws `SkippedFile` for a text that no page holds. */
export function readNote(text: string, path: string): ParsedFile {
  const body = noteText(text)
  if (body.length > maxBodyLength) {
    throw new SkippedFile(`it has ${count(body.length)} characters; a page holds ${count(maxBodyLength)}`)
  }

  const { problem } = readProperties(splitFrontMatter(body).yaml)
  return {
    type: 'page',
    title: titleIn(body, path),
    fields: { body, ...positionIn(body) },
    warnings: problem ? [`its front matter cannot be read: ${firstLine(problem)}`] : [],
  }
}

const firstLine = (text: string) => text.split('\n', 1)[0]?.replace(/[.:]$/, '') ?? ''

const count = (number: number) => number.toLocaleString('en-US')
