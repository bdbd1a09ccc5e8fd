// Joplin's own export: a file for each note, notebook, tag and attachment, named by its id, in a folder (RAW) or a tar
// archive (JEX). Only together they say what a note is called and where it belongs.
// https://joplinapp.org/help/dev/spec/architecture/#item-types

import { posix } from 'node:path'
import { maskCode } from '../../../core/text/links/read-links.ts'
import { baseName, folderOf } from '../../../core/text/paths.ts'
import { nameAsTag } from '../../../core/text/properties/tag.ts'
import type { PlainFile, ReadFile } from '../file/format.ts'
import { asBytes, createNoteNames, isoTime, linkTo, writeNote } from '../file/notebook.ts'

/** Bytes of notes that are kept in memory. */
const maxHeldBytes = 256 * 1024 * 1024
const maxDepth = 50

/** True for the name of such a file. */
export const isJoplinItem = (path: string): boolean => /^[0-9a-f]{32}\.md$/.test(baseName(path))

const isResource = (path: string): boolean => /(?:^|\/)resources\/[0-9a-f]{32}(?:\.\w{1,20})?$/.test(path)

type Item = { id: string; type: string; title: string; body: string; values: Record<string, string> }

/** Files with Joplin's under the names and in the folders that they have there. Others pass as they come. */
export async function* gatherJoplin(files: AsyncIterable<PlainFile>): AsyncGenerator<PlainFile> {
  const exports = new Map<string, JoplinExport>()
  const waiting: ReadFile[] = []
  let held = 0

  for await (const file of files) {
    const item =
      'bytes' in file && isJoplinItem(file.path) && held < maxHeldBytes ? readItem(file.bytes) : null
    if (item) {
      const base = folderOf(file.path)
      if (!exports.has(base)) exports.set(base, createExport(base))
      exports.get(base)!.add(item)
      held += item.body.length
      continue
    }
    if (!('bytes' in file) || !isResource(file.path)) {
      yield file
      continue
    }
    const path = exports.get(folderOf(folderOf(file.path)))?.resourcePath(idOf(file.path))
    if (path) yield { ...file, path, attached: true }
    else if (held < maxHeldBytes) {
      waiting.push(file)
      held += file.bytes.length
    } else yield file
  }
  for (const file of waiting) {
    const path = exports.get(folderOf(folderOf(file.path)))?.resourcePath(idOf(file.path))
    yield path ? { ...file, path, attached: true } : file
  }
  for (const all of exports.values()) yield* all.notes()
}

const idOf = (path: string) => baseName(path).slice(0, 32)

/** A title, an empty line, the text, an empty line, and lines of values. */
function readItem(bytes: Uint8Array): Item | null {
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n').trimEnd()
  const end = text.lastIndexOf('\n\n')
  const values = Object.fromEntries(
    text
      .slice(end < 0 ? 0 : end + 2)
      .split('\n')
      .map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
  )
  const { id = '', type_: type = '' } = values
  if (!/^[0-9a-f]{32}$/.test(id) || !/^\d+$/.test(type)) return null
  const content = end < 0 ? '' : text.slice(0, end)
  const line = content.indexOf('\n')
  const title = (line < 0 ? content : content.slice(0, line)).trim()
  return { id, type, title, body: line < 0 ? '' : content.slice(line + 1).replace(/^\n/, ''), values }
}

const types = { note: '1', folder: '2', resource: '4', tag: '5', noteTag: '6' }

type JoplinExport = ReturnType<typeof createExport>

function createExport(base: string) {
  const items = new Map<string, Item>()
  const paths = new Map<string, string>()
  const nameOf = createNoteNames()

  return {
    add: (item: Item) => void items.set(item.id, item),
    resourcePath,

    *notes(): Generator<PlainFile> {
      const notes = [...items.values()].filter(({ type }) => type === types.note)
      const tags = Map.groupBy(
        [...items.values()].filter(({ type }) => type === types.noteTag),
        ({ values }) => values.note_id,
      )
      for (const note of notes) {
        const extension = note.values.markup_language === '2' ? '.html' : '.md'
        paths.set(note.id, nameOf(folderPath(note.values.parent_id), note.title, extension))
      }
      for (const note of notes.toSorted((a, b) => (paths.get(a.id)! < paths.get(b.id)! ? -1 : 1))) {
        const path = paths.get(note.id)!
        if (note.values.encryption_applied === '1') {
          yield { path, skip: 'it is encrypted; switch encryption off in Joplin and export again' }
          continue
        }
        const named = (tags.get(note.id) ?? []).flatMap(
          ({ values }) => nameAsTag(items.get(values.tag_id ?? '')?.title ?? '') ?? [],
        )
        yield { path, bytes: asBytes(write(note, path, named)), dated: true }
      }
    },
  }

  /** Only of what is known to be one: its name is in another file. */
  function resourcePath(id: string): string | null {
    const item = items.get(id)
    if (item?.type !== types.resource) return null
    const known = paths.get(id)
    if (known) return known
    const { file_extension: extension = '' } = item.values
    const dot = item.title.lastIndexOf('.')
    const [stem, ending] =
      dot > 0
        ? [item.title.slice(0, dot), item.title.slice(dot)]
        : [item.title || id, extension && `.${extension}`]
    const path = nameOf(`${base}resources/`, stem, /^\.\w{1,20}$/.test(ending) ? ending : '')
    paths.set(id, path)
    return path
  }

  function folderPath(id: string | undefined, depth = 0): string {
    const folder = items.get(id ?? '')
    if (folder?.type !== types.folder || depth > maxDepth) return base
    const known = paths.get(folder.id)
    if (known) return known
    const path = `${nameOf(folderPath(folder.values.parent_id, depth + 1), folder.title, '')}/`
    paths.set(folder.id, path)
    return path
  }

  function write({ title, body, values }: Item, path: string, tags: readonly string[]): string {
    const masked = maskCode(body)
    const text = body.replace(/:\/([0-9a-f]{32})/g, (whole, id: string, at: number) => {
      if (masked[at] !== ':') return whole
      const target = paths.get(id) ?? resourcePath(id)
      return target ? linkTo(posix.relative(folderOf(path), target)) : whole
    })
    if (path.endsWith('.html')) return `<title>${title.replace(/[&<]/g, ' ')}</title>${text}`
    const state = values.is_todo !== '1' ? null : Number(values.todo_completed) > 0 ? 'done' : 'open'
    return writeNote(
      {
        title: baseName(path) === `${title}.md` ? null : title,
        created: values.user_created_time || values.created_time,
        updated: values.user_updated_time || values.updated_time,
        tags,
        source: values.source_url,
        author: values.author,
        todo: state,
        completed: isoTime(values.todo_completed),
        due: isoTime(values.todo_due),
      },
      text,
    )
  }
}
