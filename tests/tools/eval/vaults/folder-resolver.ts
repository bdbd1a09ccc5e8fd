// Where the links of a folder lead in the tool that it was written with.

import { posix } from 'node:path'
import { readWritten, type Written } from './read-written.ts'

export type Tool = 'obsidian' | 'logseq' | 'dendron' | 'plain'

/** The tool of a folder by what it leaves there. `hidden`: the names in it that no import reads. */
export function toolOf(paths: readonly string[], hidden: readonly string[]): Tool {
  if (paths.includes('logseq/config.edn')) return 'logseq'
  if (paths.some((path) => /(?:^|\/)dendron\.yml$/.test(path))) return 'dendron'
  if (hidden.includes('.obsidian')) return 'obsidian'
  return paths.some((path) => /(?:^|\/)mkdocs\.ya?ml$/.test(path)) ? 'plain' : 'obsidian'
}

export type Folder = ReadonlyMap<string, Uint8Array>

export type Lead = Written & { to: string | null }

const isNote = (path: string): boolean => /\.(?:md|markdown)$/i.test(path)

/** The links of every note, in order, and where they lead. */
export function leadsOf(folder: Folder, tool: Tool): Map<string, Lead[]> {
  const texts = new Map(
    [...folder]
      .filter(([path]) => isNote(path))
      .map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  )
  const resolve = createFolderResolver([...folder.keys()], texts, tool)
  return new Map(
    [...texts].map(([path, text]) => [
      path,
      readWritten(text, { labelFirst: tool === 'dendron' }).map((link) => ({
        ...link,
        to: resolve(link, path),
      })),
    ]),
  )
}

const fold = (text: string) => text.normalize('NFC').toLowerCase()

const stemOf = (path: string) => posix.basename(path).replace(/\.(?:md|markdown)$/i, '')

function createFolderResolver(
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
  tool: Tool,
): (link: Written, from: string) => string | null {
  const byPath = new Map<string, string>()
  const byName = new Map<string, string[]>()
  const add = (name: string, path: string) =>
    byName.set(fold(name), [...(byName.get(fold(name)) ?? []), path])
  for (const path of paths.toSorted()) {
    if (!byPath.has(fold(path))) byPath.set(fold(path), path)
    add(posix.basename(path), path)
    if (isNote(path)) add(stemOf(path), path)
  }
  if (tool === 'logseq')
    for (const [path, text] of texts) for (const name of logseqNames(path, text)) add(name, path)
  const titled = tool === 'obsidian' ? aliasesIn(texts) : new Map<string, string>()

  const at = (path: string): string | null => {
    const plain = path.replace(/\/$/, '')
    const tried = path.endsWith('/') ? [] : [plain, `${plain}.md`, `${plain}.markdown`]
    const inside = ['index.md', 'README.md', `${posix.basename(plain)}.md`].map((name) => `${plain}/${name}`)
    const all = [...tried, ...inside, ...(path.endsWith('/') ? [`${plain}.md`] : [])]
    return all.map((each) => byPath.get(fold(each))).find((each) => each !== undefined) ?? null
  }

  const relative = (target: string, from: string): string | null => {
    const path = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target)
    return path.startsWith('../') ? null : at(posix.normalize(path))
  }

  return ({ form, target }, from) => {
    if (form === 'path') return relative(target, from)
    const exact = /^\.\.?\//.test(target) ? relative(target, from) : byExact(target)
    if (exact) return exact
    const name = fold(target.replace(/^.*\//, ''))
    const tail = fold(target.replace(/^\.?\//, ''))
    const whole = byName.get(fold(target)) ?? []
    const same = [...whole, ...(byName.get(name) ?? []).filter((path) => endsIn(path, tail))]
    return nearest(same, from) ?? titled.get(fold(target)) ?? null
  }

  function byExact(target: string): string | null {
    if (!target.includes('/')) return null
    const plain = target.replace(/^\//, '')
    return byPath.get(fold(plain)) ?? byPath.get(fold(`${plain}.md`)) ?? null
  }
}

const endsIn = (path: string, tail: string): boolean => {
  const each = [fold(path), fold(path).replace(/\.(?:md|markdown)$/, '')]
  return each.some((one) => one === tail || one.endsWith(`/${tail}`))
}

/** Its own folder, then the shortest path. */
function nearest(paths: readonly string[], from: string): string | null {
  const own = paths.find((path) => posix.dirname(path) === posix.dirname(from))
  const depth = (path: string) => path.split('/').length
  return own ?? paths.toSorted((one, other) => depth(one) - depth(other))[0] ?? null
}

function logseqNames(path: string, text: string): string[] {
  const property = (name: string) =>
    new RegExp(`^(?:- )?${name}::[ \\t]*(.*)$`, 'im').exec(text.slice(0, 2000))?.[1]?.trim() ?? ''
  const aliases = property('alias')
    .split(',')
    .map((alias) => alias.trim().replace(/^\[\[|\]\]$/g, ''))
  const stem = stemOf(path)
  const spelled = [stem.replaceAll('___', '/'), stem.replace(/%2f/gi, '/')]
  const day = /^(\d{4})_(\d\d)_(\d\d)$/.exec(stem)
  const date = day ? journalName(new Date(Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])))) : ''
  return [property('title'), ...aliases, ...spelled, date].filter((name) => name !== '')
}

function journalName(date: Date): string {
  const month = date.toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' })
  const day = date.getUTCDate()
  const ending = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
  return `${month} ${day}${ending}, ${date.getUTCFullYear()}`
}

function aliasesIn(texts: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, text] of [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const head = /^---\r?\n(.*?)\r?\n---/s.exec(text)?.[1] ?? ''
    const list = /^aliases:[ \t]*(?:\[(.*?)\]|((?:\r?\n[ \t]*-[ \t]*.*)+))/im.exec(head)
    const names = list?.[1]?.split(',') ?? list?.[2]?.split(/\r?\n[ \t]*-/) ?? []
    for (const name of names.map((each) => each.trim().replace(/^(["'])(.*)\1$/, '$2')))
      if (name !== '' && !found.has(fold(name))) found.set(fold(name), path)
  }
  return found
}
