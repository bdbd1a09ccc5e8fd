// Notion exports append each page's id to its name: `Trip 0123…cdef.md`. This removes them, from paths and from the
// links between the files.

import { baseName, extensionOf, folderOf } from '../../vault/paths.ts'

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

/** A Notion page's Markdown, without its heading (the page's name) and with its properties as YAML. */
export function readNotionPage(text: string): string {
  const [, title, after] = /^\uFEFF?# ([^\n]*)\n+([\s\S]*)$/.exec(text.replace(/\r\n?/g, '\n')) ?? []
  if (title === undefined || after === undefined) return text
  const lines = after.split('\n')
  const end = lines.findIndex((line) => !/^[\p{L}\p{N}][^:\n]{0,60}: \S/u.test(line))
  const properties = end > 0 && lines[end] === '' ? lines.slice(0, end) : []
  const body = lines.slice(properties.length).join('\n').replace(/^\n+/, '')
  const yaml = properties.map((line) => {
    const colon = line.indexOf(': ')
    return `${JSON.stringify(line.slice(0, colon))}: ${JSON.stringify(line.slice(colon + 2))}`
  })
  const names = new Set(yaml.map((line) => line.split(': ')[0]?.toLowerCase()))
  const head = [...(names.has('"title"') ? [] : [`title: ${JSON.stringify(title)}`]), ...yaml]
  return `---\n${head.join('\n')}\n---\n${body}`
}
