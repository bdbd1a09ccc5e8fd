// The links of a text that look for certain names, turned to other ones. What they show, the heading that they lead to and
// everything else of the text stays as it is.

import { normalizeName } from '../../core/text/normalize-name.ts'
import { dropEscape, fileName, markdownLink, readLinked, wikilink } from './extract.ts'

export type RenamedLinks = {
  text: string
  /** Links that were turned. */
  count: number
  /** Names, normalised, of links that cannot be written with their new name, and stay: each link's. */
  left: string[]
}

/**
 * One pass over the text: each link is turned once, by the name that it has now. `names` leads from names, normalised, to
 * new ones as they are written.
 */
export function renameLinks(text: string, names: ReadonlyMap<string, string>): RenamedLinks {
  const { searched, start } = readLinked(text)
  const edits: { at: number; length: number; target: string }[] = []
  const left: string[] = []
  const add = (from: string, edit: { at: number; length: number; target: string | null }) => {
    const { at, length, target } = edit
    const isSafe = target !== null && (at >= start || plainInYaml.test(target))
    if (isSafe) edits.push({ at, length, target })
    else left.push(from)
  }
  for (const { index, 0: whole, 1: bang = '', 2: target = '' } of searched.matchAll(wikilink)) {
    const from = target.trim() === '' ? '' : normalizeName(dropEscape(target))
    const to = names.get(from)
    if (from === '' || to === undefined) continue
    const at = index + bang.length + 2
    // The backslash belongs to the bar of a label in a table.
    const length = whole.includes('\\|') ? dropEscape(target).length : target.length
    add(from, { at, length, target: unlinkable.test(to) ? null : to })
  }
  for (const { index, 0: whole, 3: pointed, 4: bare } of searched.matchAll(markdownLink)) {
    const [path = ''] = (pointed ?? bare ?? '').split('#')
    const from = fileName(path)
    const to = names.get(from)
    if (from === '' || to === undefined) continue
    const at = index + whole.lastIndexOf(pointed === undefined ? `(${bare}` : `<${pointed}`) + 1
    add(from, { at, length: path.length, target: turnedPath(path, to, pointed !== undefined) })
  }
  return { text: applied(text, edits), count: edits.length, left }
}

/** What ends the name in a wikilink; two backticks make code of what stands between them. */
const unlinkable = /[[\]|#`\n]|\\$/
/** In front matter a link stands between quotes, or where other signs mean something to YAML. */
const plainInYaml = /^[\p{L}\p{N}\p{M} _.()-]+$/u

/** A path with its beginning and ending kept; `null` where the name cannot stand between pointed brackets. */
function turnedPath(path: string, to: string, isPointed: boolean): string | null {
  const [before = ''] = /^(?:\.\.?\/)*/.exec(path) ?? []
  const [after = ''] = /\.md$/i.exec(path) ?? []
  if (isPointed && /[<>#`\n%]/.test(to)) return null
  const turned = `${before}${isPointed ? to : encode(to)}${after}`
  return fileName(turned) === normalizeName(to) ? turned : null
}

/** Parentheses too: they would end the target. */
const encode = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

function applied(text: string, edits: { at: number; length: number; target: string }[]): string {
  const parts: string[] = []
  let position = 0
  for (const { at, length, target } of edits.toSorted((a, b) => a.at - b.at)) {
    if (at < position) continue
    parts.push(text.slice(position, at), target)
    position = at + length
  }
  return parts.join('') + text.slice(position)
}
