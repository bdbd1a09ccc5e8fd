// Notion exports append each page's id to its name: `Trip 0123…cdef.md`. This removes them, from paths and from the
// links between the files.

import { baseName, extensionOf, folderOf } from '../../../core/text/paths.ts'
import type { SourceFile } from '../file/format.ts'

const idInName = / ([0-9a-f]{32})(?=(?:_all)?(?:\.[a-z]+)?$)/i
const idInText = /(?:%20|\+| )([0-9a-f]{32})(?![0-9a-f])/gi

export type NotionNames = {
  /** The new path of a path in the archive; `null`: skipped, because another file has the same content. */
  rename(path: string): string | null
  /** A text with its links rewritten to the new names. */
  relink(text: string): string
}

/** The naming for an archive written by Notion; `null` for any other. */
export function createNotionNames(paths: readonly string[]): NotionNames | null {
  const pages = paths.filter((path) => /\.(md|html|csv)$/i.test(path))
  const marked = pages.filter((path) => idInName.test(baseName(path)))
  if (marked.length === 0 || marked.length * 2 < pages.length) return null

  const suffixes = findSuffixes(paths)
  const all = new Set(paths)
  return {
    rename(path) {
      // A database is exported as the rows of one view and as all rows.
      const whole = path.replace(/\.csv$/i, '_all.csv')
      if (extensionOf(path) === '.csv' && all.has(whole)) return null
      if (/(^|\/)index\.html$/i.test(path) && !path.includes('/')) return null
      return path
        .split('/')
        .filter((segment, index) => index > 0 || !isExportName(segment))
        .map((segment) =>
          segment
            .replace(idInName, (_, id: string) => suffixes.get(id.toLowerCase()) ?? '')
            .replace(/_all(?=\.csv$)/i, ''),
        )
        .join('/')
    },
    relink: (text) =>
      text.replace(idInText, (whole, id: string) => {
        const suffix = suffixes.get(id.toLowerCase())
        if (suffix === undefined) return whole
        return whole.startsWith('%20') ? encodeURIComponent(suffix) : suffix
      }),
  }
}

// Pages with the same name in one folder keep a part of their ids.
function findSuffixes(paths: readonly string[]): Map<string, string> {
  const suffixes = new Map<string, string>()
  const owners = new Map<string, string>()

  for (const path of paths) {
    for (let at = path; at !== ''; at = folderOf(at).replace(/\/$/, '')) {
      const id = idInName.exec(baseName(at))?.[1]?.toLowerCase()
      if (!id || suffixes.has(id)) continue
      const bare = (folderOf(at) + baseName(at).replace(idInName, '')).replace(/\.[a-z]+$/i, '').toLowerCase()
      const owner = owners.get(bare)
      suffixes.set(id, owner === undefined || owner === id ? '' : ` ${id.slice(0, 6)}`)
      if (owner === undefined) owners.set(bare, id)
    }
  }
  return suffixes
}

/** Notion's name for an export or a part of it, in which the pages are. */
export const isExportName = (name: string): boolean =>
  /^(?:[0-9a-f-]{32,36}_)?Export(?:Block)?-[0-9a-f-]{8,36}(?:-Part-\d+)?$/i.test(name)

/** Lines with callouts in place of `<aside>` elements, as Notion writes them outside of code. */
function withCallouts(lines: readonly string[]): string[] {
  const result: string[] = []
  let isInside = false
  let fence = ''
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' ? mark !== '' : mark.startsWith(fence)) fence = fence === '' ? mark : ''
    const isMark = fence === '' && /^<\/?aside>$/.test(line.trim())
    if (isMark) {
      while (isInside && result.at(-1) === '>') result.pop()
      isInside = line.trim() === '<aside>'
      result.push(isInside ? '> [!note]' : '')
    } else if (!isInside) result.push(line)
    else if (line !== '' || result.at(-1) !== '> [!note]') result.push(line === '' ? '>' : `> ${line}`)
  }
  return result
}

/** The bytes of a file of an export, with its links by the new names. */
export function readNotionFile(names: NotionNames, path: string, bytes: Uint8Array): Uint8Array {
  const extension = extensionOf(path)
  if (!['.md', '.html', '.csv'].includes(extension)) return bytes
  const text = names.relink(Buffer.from(bytes).toString('utf8'))
  return Buffer.from(extension === '.md' ? readNotionPage(text) : text)
}

/** The paths of a folder as an import knows them: those of an unpacked export of Notion without its ids. */
export function notionPaths(paths: readonly string[]): string[] {
  const names = createNotionNames(paths)
  return names ? paths.flatMap((path) => names.rename(path) ?? []) : [...paths]
}

/** Files of a folder with these paths; of an unpacked export of Notion by the names that its pages have. */
export async function* readNotionFolder(
  files: Iterable<SourceFile> | AsyncIterable<SourceFile>,
  paths: readonly string[],
): AsyncGenerator<SourceFile> {
  const names = createNotionNames(paths)
  for await (const file of files) {
    const path = names ? names.rename(file.path) : file.path
    if (path === null) continue
    if (names && 'bytes' in file) yield { ...file, path, bytes: readNotionFile(names, file.path, file.bytes) }
    else yield { ...file, path }
  }
}

/** A Notion page's Markdown, without its heading (the page's name) and with its properties as YAML. */
export function readNotionPage(text: string): string {
  const [, title, after] = /^\uFEFF?# ([^\n]*)\n+([\s\S]*)$/.exec(text.replace(/\r\n?/g, '\n')) ?? []
  if (title === undefined || after === undefined) return text
  const lines = after.split('\n')
  const end = lines.findIndex((line) => !/^[\p{L}\p{N}][^:\n]{0,60}: \S/u.test(line))
  const properties = end > 0 && lines[end] === '' ? lines.slice(0, end) : []
  const body = withCallouts(lines.slice(properties.length)).join('\n').replace(/^\n+/, '')
  const yaml = properties.map((line) => {
    const colon = line.indexOf(': ')
    return `${JSON.stringify(line.slice(0, colon))}: ${JSON.stringify(line.slice(colon + 2))}`
  })
  const names = new Set(yaml.map((line) => line.split(': ')[0]?.toLowerCase()))
  const head = [...(names.has('"title"') ? [] : [`title: ${JSON.stringify(title)}`]), ...yaml]
  return `---\n${head.join('\n')}\n---\n${body}`
}
