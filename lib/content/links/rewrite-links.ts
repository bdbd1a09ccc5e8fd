// Links of a text given another target. What they show, the heading that they lead to, how they are written and
// everything else of the text stays as it is.

import { readDestination } from '../../core/text/links/read-destination.ts'
import { readLinks, type WrittenLink } from '../../core/text/links/read-links.ts'
import { splitFrontMatter } from '../../core/text/markdown.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import { quoteContext, quoteInYaml } from '../../core/text/properties/yaml-quotes.ts'

export type RewrittenLinks = {
  text: string
  /** Links that were rewritten, definitions included. */
  count: number
  /** Links that cannot be written with their new target, and stay. */
  left: WrittenLink[]
}

type Edit = { start: number; end: number; text: string }

/**
 * One pass over the text. `choose` gives the new target of a link as a path or a name; undefined: it stays. `labelFirst`
 * as in `readLinks`.
 */
export function rewriteLinks(
  text: string,
  choose: (link: WrittenLink) => string | undefined,
  labelFirst?: boolean,
): RewrittenLinks {
  const edits: Edit[] = []
  const left: WrittenLink[] = []
  for (const link of readLinks(text, labelFirst === undefined ? {} : { labelFirst })) {
    // Where it is defined is a link of its own; a block keeps its id.
    if (link.kind === 'reference' || isBlock(text, link)) continue
    const target = choose(link)
    if (target === undefined) continue
    const edit = editOf(text, link, target)
    if (edit) edits.push(edit)
    else left.push(link)
  }
  return { text: applied(text, edits), count: edits.length, left }
}

/** `((id))` by itself or as the destination of a link. */
const isBlock = (text: string, { kind, form, place }: WrittenLink): boolean =>
  kind === 'block' || (form === 'wiki' && text.startsWith('((', place.start))

/** Turns wikilinks by a name to another one. */
export const renameLinks = (text: string, from: string, to: string): RewrittenLinks =>
  rewriteLinks(text, ({ form, target }) =>
    form === 'wiki' && normalizeName(target) === normalizeName(from) ? to : undefined,
  )

function editOf(text: string, link: WrittenLink, target: string): Edit | null {
  const { place, form } = link
  const written = text.slice(place.start, place.end)
  const next = form === 'path' ? pathTarget(target, link, written) : canName(target) ? target : null
  if (next === null) return null
  const start = place.start + (form === 'wiki' ? written.length - written.trimStart().length : 0)
  const end = form === 'wiki' ? start + written.trim().length : place.end
  if (!place.inFrontMatter) return { start, end, text: next }
  return yamlEdit(text, { start, end, text: next })
}

/** What ends the target in a wikilink; two backticks make code of what stands between them. */
export const canName = (target: string): boolean =>
  !/[[\]|#^`\n]|\\$/.test(target) && target.trim() === target

/** As the old one is written: with as few signs encoded as it can be, or as many as there are. */
function pathTarget(target: string, { kind, place }: WrittenLink, written: string): string | null {
  const isEncoded = /%[89a-f]/i.test(written)
  const signs = place.isPointed ? /[<>#?%\\&`\n]/g : /[\s<>#?%\\&`()'"[\]*_]/g
  const encode = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  const plain = isEncoded ? encodeURI(target.toWellFormed()).replaceAll('%25', '%') : target
  const kept = isEncoded ? /[#?()'"*_]/g : signs
  const next = plain.replace(kept, (sign) => (/[_*]/.test(sign) ? sign : encode(sign)))
  const isSafe = kind !== 'attribute' || !/[\s"'<>]/.test(next)
  return isSafe && readDestination(next)?.target === target ? next : null
}

/** Quoted where YAML would read the new link as something else. */
function yamlEdit(text: string, edit: Edit): Edit | null {
  const { raw, yaml } = splitFrontMatter(text)
  const offset = raw.indexOf('\n') + 1
  const context = quoteContext(yaml, edit.start - offset)
  if (context === null) return null
  const { start, end, quotes } = context
  const whole = { start: start + offset, end: end + offset }
  if (quotes === 'lines') return edit
  if (quotes !== 'none') return { ...edit, text: quoteInYaml(edit.text, quotes) }
  const value = text.slice(whole.start, edit.start) + edit.text + text.slice(edit.end, whole.end)
  // The quotes go around the whole value.
  return /^[\p{L}\p{N}\p{M} _.()/[\]|-]+$/u.test(value)
    ? edit
    : { ...whole, text: `"${quoteInYaml(value, 'double')}"` }
}

function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let position = 0
  for (const { start, end, text: next } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < position) continue
    parts.push(text.slice(position, start), next)
    position = end
  }
  return parts.join('') + text.slice(position)
}
