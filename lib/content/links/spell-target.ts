// How a link can say where its target is now, in the form that it has: by its name or by a path, relative or from the root,
// with or without an extension. The first spelling that leads there is taken.

import type { LinkAim } from '../../core/text/links/read-destination.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import {
  baseName,
  folderOf,
  isNotePath,
  rankAsFolderNote,
  relativePath,
  withoutNoteExtension,
} from '../../core/text/paths.ts'

export type SpelledTarget = {
  title: string
  path: string | null
  /** As it was called before. */
  oldTitle: string
}

/** The best first. `holder`: the path of the text that holds the link. */
export function spellTarget(aim: LinkAim, holder: string | null, to: SpelledTarget): string[] {
  const { target, form } = aim
  if (to.path === null) return form === 'wiki' ? [to.title] : []
  const isFull = isNotePath(target) || !isNotePath(to.path)
  const path = isFull ? to.path : withoutNoteExtension(to.path)
  const plain = path.replace(/\/$/, '')
  return form === 'wiki'
    ? spellName(target, holder, { ...to, plain })
    : spellPath(target, holder, plain, to.path)
}

function spellName(
  written: string,
  holder: string | null,
  { title, oldTitle, plain }: SpelledTarget & { plain: string },
): string[] {
  const target = written.trim()
  const isTitle = normalizeName(target) === normalizeName(oldTitle)
  if (/^\.\.?\//.test(target)) return [relative(target, holder, plain), plain]
  if (target.startsWith('/')) return [`/${plain}`]
  if (target.includes('/') && !isTitle) return [plain, relativePath(folderOf(holder ?? ''), plain)]
  // With an extension it names a file.
  return isTitle && !isNotePath(target) ? [title, baseName(plain), plain] : [baseName(plain), plain, title]
}

function spellPath(target: string, holder: string | null, plain: string, path: string): string[] {
  // A link to a folder leads to what describes it.
  const isFolder = rankAsFolderNote(path) !== null && !isNotePath(target)
  const folder = isFolder ? folderOf(path).replace(/\/$/, '') : null
  const end = target.endsWith('/') ? '/' : ''
  const spell = (each: string) => (target.startsWith('/') ? `/${each}` : relative(target, holder, each))
  const own = path.endsWith('/') ? [spell(plain) + end] : []
  return [...(folder === null ? [] : [spell(folder) + end]), ...own, spell(plain), spell(path)]
}

/** Beginning with `./` where the link did. */
function relative(target: string, holder: string | null, path: string): string {
  const found = relativePath(folderOf(holder ?? ''), path)
  return target.startsWith('./') && !found.startsWith('../') ? `./${found}` : found
}
