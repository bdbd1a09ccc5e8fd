// The links of a Markdown text that may lead to something in its Space: [[wikilinks]], Markdown links, reference links,
// pictures, and addresses in HTML; in front matter too. What is code by CommonMark holds none.

import { splitFrontMatter } from '../markdown.ts'
import { definitionAt } from './destination-at.ts'
import type { InlineLink } from './inline-link.ts'
import { isLabelFirst, targetStart } from './label-first.ts'
import { type Blocks, type Range, readBlocks } from './read-blocks.ts'
import { type Aim, blockAim, type LinkAim, readDestination, readWikilink } from './read-destination.ts'
import { htmlLinks, referenceName, scanLeaf } from './scan-leaf.ts'

export type WrittenLink = LinkAim &
  Range & {
    heading: string | null
    label: string | null
    /** Shown in place. */
    embed: boolean
    /** How it is written. A `definition` is no link by itself; a `reference` is given elsewhere. */
    kind: InlineLink['kind']
    /** The target without heading and query, as it stands in the text: what a rename replaces. */
    place: Range & { isPointed: boolean; inFrontMatter: boolean }
  }

type ReadOptions = {
  /** Also those that lead out of the Space. */
  everywhere?: boolean
  /** Its wikilinks say the label first. Default: where its front matter says so. */
  labelFirst?: boolean
}

/** The links in the order in which they stand. Time and memory in proportion to the text. */
export function readLinks(text: string, { everywhere = false, labelFirst }: ReadOptions = {}): WrittenLink[] {
  return [...frontMatterLinks(text, everywhere), ...contentLinks(text, everywhere, labelFirst)]
}

function frontMatterLinks(text: string, everywhere: boolean): WrittenLink[] {
  const { raw } = splitFrontMatter(text)
  if (!raw.includes('[')) return []
  const { links } = scanLeaf(raw, { plain: true, defined: new Set() })
  return links
    .flatMap((link) => toLink(text, { link, offset: 0, inFrontMatter: true, everywhere }))
    .map((link) => unquoted(raw, link))
}

/** Maximum characters between the quote that opens a value and a link in it. */
const maxQuoted = 300

/** A link as its value says it: without the escapes of YAML's quotes. */
function unquoted(raw: string, link: WrittenLink): WrittenLink {
  const written = raw.slice(link.start, link.end)
  if (!/\\["\\]|''/.test(written)) return link
  const line = raw.slice(Math.max(raw.lastIndexOf('\n', link.start) + 1, link.start - maxQuoted), link.start)
  const quote = /(?:^|[\s[,:{-])(["'])(?:(?!\1)[^\\]|\\.)*$/.exec(line)?.[1]
  if (quote === undefined) return link
  const plain = (text: string) =>
    quote === '"' ? text.replace(/\\(["\\])/g, '$1') : text.replaceAll("''", "'")
  const { target, heading, label } = link
  return { ...link, target: plain(target), heading: heading && plain(heading), label: label && plain(label) }
}

function contentLinks(text: string, everywhere: boolean, givenOrder: boolean | undefined): WrittenLink[] {
  const { raw, yaml, content } = splitFrontMatter(text)
  if (!/[[<]|\(\(/.test(content)) return []
  const labelFirst = givenOrder ?? isLabelFirst(yaml)
  const blocks = readBlocks(content)
  const definitions = definitionsOf(blocks, raw.length)
  const defined = new Set(definitions.keys())
  const found: WrittenLink[] = []
  const add = (link: InlineLink, start: number) =>
    found.push(
      ...toLink(text, { link, offset: raw.length + start, definitions, inFrontMatter: false, everywhere }),
    )
  for (const leaf of blocks.leaves) {
    if (!/[[<]|\(\(/.test(leaf.text)) continue
    for (const link of scanLeaf(leaf.text, { defined }).links)
      add(labelFirst && link.kind === 'wiki' ? labelled(link) : link, leaf.start)
  }
  for (const { start, end } of blocks.html) {
    for (const link of htmlLinks(content.slice(start, end))) add(link, start)
  }
  return found.sort((one, other) => one.start - other.start || other.end - one.end)
}

/** As Dendron reads it. */
function labelled(link: InlineLink): InlineLink {
  const { label, destination, end } = link
  const written = label === '' ? destination : label
  const skipped = targetStart(written)
  const at = (label === '' ? link.at : end - ']]'.length - label.length) + skipped
  return { ...link, destination: written.slice(skipped), at, label: label === '' ? '' : destination }
}

/** By name; of two the first counts. */
function definitionsOf({ leaves }: Blocks, from: number): Map<string, { link: InlineLink; offset: number }> {
  const found = new Map<string, { link: InlineLink; offset: number }>()
  for (const { start, text } of leaves) {
    if (!/^ {0,3}\[/.test(text)) continue
    for (let at = 0; ; ) {
      const link = definitionAt(text, at)
      if (!link) break
      const name = referenceName(link.label)
      if (!found.has(name)) found.set(name, { link, offset: from + start })
      at = link.end
    }
  }
  return found
}

type FoundLink = {
  link: InlineLink
  /** Where the scanned text begins. */
  offset: number
  definitions?: ReadonlyMap<string, { link: InlineLink; offset: number }>
  inFrontMatter: boolean
  everywhere: boolean
}

function toLink(
  text: string,
  { link, offset, definitions, inFrontMatter, everywhere }: FoundLink,
): WrittenLink[] {
  const { kind, embed, label } = link
  const definition = kind === 'reference' ? definitions?.get(link.destination) : undefined
  const source = definition ? definition.link : link
  const aim = aimOf(source) ?? (everywhere ? elsewhere(source.destination) : null)
  if (!aim) return []
  const at = source.at + (definition ? definition.offset : offset)
  const { heading, length, ...rest } = aim
  const place = { start: at, end: at + length, isPointed: text[at - 1] === '<', inFrontMatter }
  const range = { start: offset + link.start, end: offset + link.end }
  return [{ ...rest, ...range, heading, label: label.trim() || null, embed, kind, place }]
}

function aimOf({ kind, destination }: InlineLink): Aim | null {
  if (kind === 'block') return blockAim(destination)
  return kind === 'wiki' ? readWikilink(destination) : readDestination(destination)
}

const elsewhere = (target: string): Aim => ({ form: 'path', target, heading: null, length: target.length })

/**
 * A text with its code blanked out, by CommonMark, each other character in its place. `everything`: also HTML whose text
 * is code, comments in HTML and formulas.
 */
export function maskCode(text: string, { everything = false } = {}): string {
  if (!/[`~$<\t]|^ {4}|^ {0,3}(?:[-*+]|\d{1,9}[.)]) {5}/m.test(text)) return text
  const { code, verbatim, leaves } = readBlocks(text)
  const ranges = [...code, ...(everything ? verbatim : [])]
  for (const { start: offset, text: leaf } of leaves) {
    if (!/[`$<]/.test(leaf)) continue
    const tokens = scanLeaf(leaf, { defined: new Set() })
    for (const { start, end } of [...tokens.code, ...(everything ? tokens.verbatim : [])])
      ranges.push({ start: offset + start, end: offset + end })
  }
  let masked = ''
  let at = 0
  for (const { start, end } of ranges.sort((one, other) => one.start - other.start)) {
    if (start < at) continue
    masked += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return masked + text.slice(at)
}
