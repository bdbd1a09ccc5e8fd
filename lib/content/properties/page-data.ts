import { type EntityRow, textOf, titleOf } from '../../contract/entities/kind.ts'
import { tagKey } from '../../core/text/properties/tag.ts'
import {
  type TypedProperty,
  typedProperties,
  typedProperty,
} from '../../core/text/properties/typed-properties.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPagePropertiesRepo } from '../../db/repos/page_properties.ts'
import { extractTags } from './extract-tags.ts'

/** Counted up whenever a text is read in another way: then every page is read again. */
export const reading = 1

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
