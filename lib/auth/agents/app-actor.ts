import { lookOf } from '../../core/text/mixed-scripts.ts'

/**
 * Whether an agent of that name or slug would pass for the owner or for Void itself: the name looks like one that the app
 * prints for its own actors (`actorName` in public/ui/words), or like several of them.
 */
export function looksLikeAppActor(name: string): boolean {
  const words = name
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}|]+/u)
    .map(lookOf)
  return appActors.test(words.filter((word) => !articles.has(word)).join(''))
}

/** Whether the name is that of the companion. */
export const looksLikeCompanion = (name: string): boolean => lookOf(name) === lookOf('companion')

const articles: ReadonlySet<string> = new Set(['the', 'an', 'a', 'your'])
const actors = [
  ...['you', 'owner', 'void', 'system', 'companion', 'welcome', 'import', 'folder', 'folder-in-step'],
  ...['nobody', 'anonymous', 'unknown'],
]
const appActors = new RegExp(`^(?:the)?(?:${actors.map(lookOf).join('|')})+$`)
