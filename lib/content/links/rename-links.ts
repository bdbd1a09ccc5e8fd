// The links of a text that look for one name, turned to another one. What they show, the heading that they lead to and
// everything else of the text stays as it is.

import { normalizeName } from '../../core/text/normalize-name.ts'
import { dropEscape, fileName, markdownLink, readLinked, wikilink } from './extract.ts'

export type RenamedLinks = {
  text: string
  /** Links that were turned. */
  count: number
  /** Links that cannot be written with the new name, and stay. */
  left: number
}

/** `from` is normalised, `to` is as it is written. */
export function renameLinks(text: string, { from, to }: { from: string; to: string }): RenamedLinks {
  const { searched, start } = readLinked(text)
  const edits: { at: number; length: number; target: string }[] = []
  let left = 0
  const add = (at: number, length: number, target: string | null) => {
    const isSafe = target !== null && (at >= start || plainInYaml.test(target))
    if (isSafe) edits.push({ at, length, target })
    else left += 1
  }
  for (const { index, 0: whole, 1: bang = '', 2: target = '' } of searched.matchAll(wikilink)) {
    if (target.trim() === '' || normalizeName(dropEscape(target)) !== from) continue
    const at = index + bang.length + 2
    // The backslash belongs to the bar of a label in a table.
    const length = whole.includes('\\|') ? dropEscape(target).length : target.length
    add(at, length, unlinkable.test(to) ? null : to)
  }
  for (const { index, 0: whole, 3: pointed, 4: bare } of searched.matchAll(markdownLink)) {
    const [path = ''] = (pointed ?? bare ?? '').split('#')
    if (fileName(path) !== from) continue
    const at = index + whole.lastIndexOf(pointed === undefined ? `(${bare}` : `<${pointed}`) + 1
    add(at, path.length, turnedPath(path, to, pointed !== undefined))
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
