// What apps put into folders besides their notes.

import { extensionOf, folderOf } from '../../../core/text/paths.ts'
import type { PlainFile, ReadFile } from '../file/format.ts'

/**
 * Where a file of a text bundle belongs (http://textbundle.org/spec): the text is the note of a folder of its own, which
 * its links to `assets/` are relative to. `null`: it is about the bundle. Any other path stays.
 */
export function bundlePath(path: string): string | null {
  const segments = path.split('/')
  const at = segments.findLastIndex(
    (segment, index) => index < segments.length - 1 && /\.textbundle$/i.test(segment),
  )
  if (at < 0) return path
  const name = segments[at]!.slice(0, -'.textbundle'.length) || 'Untitled'
  const above = segments.slice(0, at).filter((segment) => !/\.textbundle$/i.test(segment))
  const inside = segments.slice(at + 1)
  if (inside.length === 1 && /^info\.json$/i.test(inside[0]!)) return null
  const isText = inside.length === 1 && /^text\.(?:md|markdown|mdown|txt)$/i.test(inside[0]!)
  return [...above, name, ...(isText ? [`${name}.md`] : inside)].join('/')
}

export async function* unwrapBundles(files: AsyncIterable<PlainFile>): AsyncGenerator<PlainFile> {
  for await (const file of files) {
    const path = bundlePath(file.path)
    if (path !== null) yield { ...file, path }
  }
}

const maxHeldBytes = 64 * 1024 * 1024

/** Leaves out the HTML of notes that Google Keep exports as JSON, too. Other files pass as they come. */
export async function* dropKeepTwins(files: AsyncIterable<PlainFile>): AsyncGenerator<PlainFile> {
  let held = new Map<string, ReadFile>()
  let folder = ''
  let size = 0

  for await (const file of files) {
    if (folderOf(file.path) !== folder || size > maxHeldBytes) {
      yield* held.values()
      held = new Map()
      folder = folderOf(file.path)
      size = 0
    }
    const stem = file.path.slice(0, -extensionOf(file.path).length)
    if (extensionOf(file.path) === '.json') held.delete(stem)
    if ('bytes' in file && extensionOf(file.path) === '.html' && isKeepNote(file.bytes)) {
      held.set(stem, file)
      size += file.bytes.length
    } else yield file
  }
  yield* held.values()
}

function isKeepNote(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1')
  return /<div class="note[ "]/.test(text) && text.includes('<div class="heading">')
}
