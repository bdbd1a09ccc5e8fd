import { type EntityRow, textOf, titleOf } from '../../contract/entities/kind.ts'
import { maskCode, readLinks } from '../../core/text/links/read-links.ts'
import { splitFrontMatter } from '../../core/text/markdown.ts'
import { lineProperties } from '../../core/text/properties/line-properties.ts'
import { propertyValues } from '../../core/text/properties/read-properties.ts'
import {
  cleanTag,
  closedTag,
  hashTag,
  joinTag,
  nameAsTag,
  tagKey,
  withParents,
} from '../../core/text/properties/tag.ts'
import {
  type TypedProperty,
  typedProperties,
  typedProperty,
} from '../../core/text/properties/typed-properties.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPagePropertiesRepo } from '../../db/repos/derived.ts'

/** Counted up whenever a text is read in another way: then every page is read again. */
export const reading = 4

/** Stores what the text of a page holds as data, in the caller's transaction. */
export async function updatePageData(tx: Queryable, row: EntityRow): Promise<void> {
  const { id, space_id, version } = row
  await createPagePropertiesRepo(tx).store({
    page_id: id,
    space_id,
    version,
    reading,
    ...readPageData(titleOf(row), textOf(row.body)),
  })
}

/** Its tags, its properties, and beside these its name and its tags, by names that no other property has. */
function readPageData(title: string, text: string) {
  const found = extractTags(text)
  const tags = [...found.keys()]
  const properties: [string, TypedProperty][] = [
    ...typedProperties(text),
    ['file.name', typedProperty('file.name', title)],
    ['file.tags', typedTags(found)],
  ]
  return { tags, tag_names: [...found.values()], properties: Object.fromEntries(properties) }
}

/** Without those that are only there because one is nested in them; these count where they are asked for. */
function typedTags(found: ReadonlyMap<string, string>): TypedProperty {
  const keys = [...found.keys()]
  const above = new Set(keys.map((key) => key.slice(0, Math.max(0, key.lastIndexOf('/')))))
  const names = [...found.values()].filter((name) => !above.has(tagKey(name)))
  return { ...typedProperty('file.tags', names), keys }
}

// The tags of a page: those of its front matter, and `#tag` in its text, outside of code and links.

const maxTags = 200

/** Of what a front matter lists as one text. */
const maxListed = 10_000

/** The tags by the form in which they are compared, each as it is written first; those above a nested one are among them. */
export function extractTags(text: string): Map<string, string> {
  const { yaml, content } = splitFrontMatter(text)
  const tags = new Map<string, string>()
  for (const written of [...listedTags(yaml), ...lineTags(content), ...writtenTags(content)]) {
    const tag = cleanTag(written)
    if (tag === null) continue
    for (const name of withParents(tag)) {
      if (tags.size === maxTags) return tags
      const key = tagKey(name)
      if (!tags.has(key)) tags.set(key, name)
    }
  }
  return tags
}

/** Under `tags` or `tag`, as a list or a text; white space and commas part one tag from the next. */
function listedTags(yaml: string): string[] {
  return propertyValues(yaml)
    .filter(({ name }) => /^tags?$/i.test(name))
    .flatMap(({ value }) => value)
    .flatMap((value) => (typeof value === 'string' ? value.slice(0, maxListed).split(/[\s,]+/) : []))
}

/** Logseq's `tags::`, parted by commas. */
function lineTags(content: string): string[] {
  const listed = (lineProperties(content).get('tags') ?? '').slice(0, maxListed).split(',')
  return listed.flatMap((tag) => nameAsTag(tag.replace(/^\s*#?(?:\[\[)?|\]\]\s*$/g, '')) ?? [])
}

/** Logseq's `#[[two words]]`, which is a link, too. */
const bracketedTag = /(?<!\S)#\[\[([^[\]\n]{1,100})\]\]/g

function* writtenTags(content: string): Generator<string> {
  if (!content.includes('#')) return
  const masked = maskCode(content, { everything: true })
  for (const { 1: name = '' } of [...masked.matchAll(bracketedTag)].slice(0, maxListed))
    yield nameAsTag(name) ?? ''
  // Neither part of a tag nor white space, so that what touches a link is no tag.
  const bare = blankLinks(masked, content)
  let found = 0
  const closed: string[] = []
  const open = bare.replace(closedTag, (whole, tag: string) => {
    closed.push(joinTag(tag))
    return '.'.repeat(whole.length)
  })
  yield* closed.slice(0, maxListed)
  for (const { 1: tag = '' } of open.matchAll(hashTag)) {
    yield tag
    found += 1
    if (found === maxListed) return
  }
}

function blankLinks(masked: string, content: string): string {
  let bare = ''
  let at = 0
  for (const { start, end } of readLinks(content, { everywhere: true })) {
    if (start < at) continue
    bare += masked.slice(at, start) + '.'.repeat(end - start)
    at = end
  }
  return bare + masked.slice(at)
}
