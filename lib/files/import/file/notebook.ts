// A notebook is one file that holds many notes, such as an app's export. Adding one is one file in notebooks/ that exports
// `notebook`.

import { safeName } from '../../../core/text/paths.ts'
import { createNumberedNames } from '../../vault/paths.ts'
import type { FileBytes } from './format.ts'

export type Notebook = {
  /** Lower case, with the dot. */
  extensions: readonly string[]
  /** True for bytes that are one, where not every file with the extension is. Looks at their beginning. */
  recognizes?(bytes: Uint8Array): boolean
  /** The notebook itself is stored, too. */
  keepsFile?: true
  /**
   * Its notes as Markdown and the files in them. Runs in the parser's thread. Throws `SkippedFile` if it cannot be read.
   */
  unpack(file: NotebookFile): Promise<UnpackedFile[]> | UnpackedFile[]
}

/** A notebook, or a part of one: `taken` are the paths of the other parts. */
export type NotebookFile = FileBytes & { taken: readonly string[] }

/** A file of a notebook; the path is below the notebook's. */
export type UnpackedFile = {
  path: string
  bytes: Uint8Array<ArrayBuffer>
  /** No note, whatever its name. */
  attached?: boolean | undefined
  warnings?: string[] | undefined
}

export const asBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))

const maxName = 120

/** Names of notes and files, each free in its folder: without regard to case, and usable on every system. */
export function createNoteNames(
  others: Iterable<string> = [],
): (folder: string, title: string, extension: string) => string {
  const taken = new Set([...others].map((path) => path.normalize('NFC').toLowerCase()))
  const nextName = createNumberedNames()

  return (folder, title, extension) => {
    const short = [...title.replace(/\s+/g, ' ').trim()].slice(0, maxName).join('')
    const stem = safeName(short).replace(/^\.+/, '').trim() || 'Untitled'
    const key = (name: string) => `${folder}${name}${extension}`.normalize('NFC').toLowerCase()
    const name = nextName(key(stem), stem, (candidate) => taken.has(key(candidate)))
    taken.add(key(name))
    return `${folder}${name}${extension}`
  }
}

/** A note: front matter of the values that are there, then the text. */
export function writeNote(
  properties: Record<string, string | readonly string[] | boolean | null | undefined>,
  text: string,
): string {
  const lines = Object.entries(properties).flatMap(([name, value]) => {
    if (value === null || value === undefined || (typeof value !== 'boolean' && value.length === 0)) return []
    const key = /^[a-z_][\w-]*$/i.test(name) ? name : JSON.stringify(name)
    return [`${key}: ${JSON.stringify(value)}`]
  })
  const body = text.trim()
  return `${lines.length === 0 ? '' : `---\n${lines.join('\n')}\n---\n`}${body}${body === '' ? '' : '\n'}`
}

/** A path in a Markdown link. */
export const linkTo = (path: string): string =>
  encodeURI(path).replace(/[()#?]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** The end of the year 9999: later ones have more digits in ISO 8601. */
const maxTime = 253_402_300_799_999

/** A day or a moment as ISO 8601, from milliseconds; `null` for what is none. */
export function isoTime(ms: unknown): string | null {
  const time = Number(ms)
  return Number.isFinite(time) && time > 0 && time <= maxTime ? new Date(time).toISOString() : null
}
