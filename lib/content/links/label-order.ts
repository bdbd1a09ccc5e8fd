import { dendronPaths, isLabelFirst } from '../../core/text/links/label-first.ts'
import { splitFrontMatter } from '../../core/text/markdown.ts'
import { pathKey } from '../../core/text/paths.ts'
import type { Queryable } from '../../db/pool.ts'
import { createNamesRepo } from '../../db/repos/names.ts'

/** Whether the wikilinks of a text say the label first: as its front matter says, or Dendron's file in a folder above. */
export async function readsLabelFirst(
  db: Queryable,
  spaceId: string,
  { text, path }: { text: string; path: string | null },
): Promise<boolean> {
  if (isLabelFirst(splitFrontMatter(text).yaml)) return true
  if (path === null || !/\[\[[^[\]\n|]*\|/.test(text)) return false
  return (await createNamesRepo(db).listPlaced(spaceId, dendronPaths(path).map(pathKey))).length > 0
}
