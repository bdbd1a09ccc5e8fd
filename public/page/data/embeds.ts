// Pages shown within a page, as `![[Page]]` or `![[Page#Heading]]` asks for. Their texts came with the page; each is
// rendered by the same renderer as any other text, so embedding adds nothing that a page could not show itself.

import type { EmbeddedPage } from '../../../lib/contract/space/pages.ts'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { blocksOf, type MarkdownContext, markdownToHtml } from '../../ui/markdown/markdown.ts'
import { inlineText, withoutTitle } from '../../ui/markdown/outline.ts'
import { escapeAll } from '../../ui/markdown/syntax.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import type { Embedder } from './page-data.ts'

/** Nesting of pages within pages. */
const maxDepth = 3
/**
 * Texts that one rendering looks for, found or not, and the characters it puts in: a page that embeds one a hundred
 * times stays readable.
 */
const maxSought = 60
const maxText = 400_000

type Parsed = { content: string; blocks: string[] }

/** For one page and the texts it embeds. A page within itself, at any depth, becomes a link. */
export function createEmbedder(pageId: string, pages: readonly EmbeddedPage[]): Embedder {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const trails = new WeakMap<MarkdownContext, readonly string[]>()
  const spent = new WeakMap<MarkdownContext, { sought: number; text: number }>()

  const parsed = new Map<string, Parsed>()

  return function embed({ id, heading, isLine = false }, place) {
    const page = byId.get(id)
    if (page && isLine) return lineOf(blockNamed(parse(page).blocks, heading) ?? '')
    const trail = trails.get(place) ?? [pageId]
    const budget = spent.get(place) ?? { sought: 0, text: 0 }
    spent.set(place, budget)
    if (!page || trail.includes(id) || trail.length > maxDepth) return null
    if (budget.sought >= maxSought) return null
    budget.sought += 1
    const text = textOf(page, parse(page), heading)
    if (text === null || budget.text + text.length > maxText) return null

    budget.text += text.length
    const folds = place.folds === undefined ? {} : { folds: `${place.folds}-${id}` }
    const { links, path, label_first: labelFirst } = page
    const inner: MarkdownContext = { ...place, ...folds, links, path, labelFirst }
    trails.set(inner, [...trail, id])
    spent.set(inner, budget)
    return frame(page, heading, markdownToHtml(text, inner), place.slug)
  }

  /** Once for each page, however many of its parts are embedded. */
  function parse({ id, body }: EmbeddedPage): Parsed {
    const cached = parsed.get(id)
    if (cached) return cached
    const { content } = splitFrontMatter(body)
    const page = { content, blocks: blocksOf(content) }
    parsed.set(id, page)
    return page
  }
}

function frame({ id, title }: EmbeddedPage, heading: string, html: string, slug: string): string {
  const hash = heading ? `#${encodeURIComponent(heading)}` : ''
  const name = [title, heading.replace(/^\^/, '')].filter(Boolean).join(' › ')
  const link = `<a href="${escapeAll(entityHref(slug, 'page', id) + hash)}" class="wikilink">${escapeAll(name)}</a>`
  return `<blockquote class="embed"><p class="embed-title">${link}</p>${html}</blockquote>`
}

/** The whole text without its title, or the part that is asked for; null when it has no such part. */
function textOf({ title }: EmbeddedPage, { content, blocks }: Parsed, heading: string): string | null {
  if (heading === '') return withoutTitle(content, title, blocks)
  if (heading.startsWith('^')) return blockNamed(blocks, heading)
  const depthOf = (block: string) => /^ {0,3}(#{1,6})[ \t]/.exec(block)?.[1]?.length ?? 0
  // `A#B` is the B below A.
  let from = -1
  for (const name of heading.split('#').map(plain)) {
    const above = from
    from = blocks.findIndex((block, index) => index > above && depthOf(block) > 0 && plain(block) === name)
    if (from === -1) return null
  }
  const to = blocks.findIndex(
    (block, index) => index > from && depthOf(block) > 0 && depthOf(block) <= depthOf(blocks[from]!),
  )
  return blocks.slice(from + 1, to === -1 ? undefined : to).join('')
}

/** What a block says on its first line. */
function lineOf(block: string): string {
  const line = block.split('\n').find((each) => each.trim() !== '' && !/^\s*[\w-]+:: /.test(each)) ?? ''
  return inlineText(line.replace(/^\s*(?:[-*+]|\d+[.)]|>|#{1,6})\s+/, '').replace(/\s\^[\w-]+\s*$/, ''))
}

/** The item of a list that has a line `id:: name`, with what is below it. */
function outlineBlock(block: string, name: string): string | null {
  const lines = block.split('\n')
  const at = lines.findIndex(
    (line) =>
      line
        .trim()
        .replace(/^[-*+]\s+/, '')
        .toLowerCase() === `id:: ${name}`,
  )
  if (at < 0) return null
  const from = lines.slice(0, at + 1).findLastIndex((line) => /^\s*(?:[-*+]|\d+[.)])\s/.test(line))
  const depth = indentOf(lines[Math.max(from, 0)]!)
  const after = lines.findIndex((line, index) => index > at && line.trim() !== '' && indentOf(line) <= depth)
  const own = lines.slice(Math.max(from, 0), after < 0 ? undefined : after)
  return own.map((line) => line.slice(Math.min(depth, indentOf(line)))).join('\n')
}

const indentOf = (line: string) => line.length - line.trimStart().length

/** The block that ends in a name; the line of a list that does; or the block above a name on a line of its own. */
function blockNamed(blocks: readonly string[], name: string): string | null {
  const contentBlocks = blocks.filter((block) => block.trim() !== '')
  for (const block of contentBlocks.filter((each) => each.includes('id::'))) {
    const outlined = outlineBlock(block, name.slice(1).toLowerCase())
    if (outlined !== null) return outlined
  }
  const at = contentBlocks.findIndex((block) =>
    block.split('\n').some((line) => ` ${line.trim()}`.endsWith(` ${name}`)),
  )
  const block = contentBlocks[at]
  if (block === undefined) return null
  if (block.trim() === name) return contentBlocks[at - 1] ?? null
  const line = block.split('\n').find((each) => each.trimEnd().endsWith(` ${name}`))
  return /^\s*(?:[-*+]|\d+[.)])\s/.test(block) && line ? line.trim() : block
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
