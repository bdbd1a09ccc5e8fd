import { normalizeName } from '../text/normalize-name.ts'

/**
 * The paths by which links may name an entity, beside the one at which it is exported: of `names`, as they are stored,
 * those that are no tail of another.
 */
export function otherPaths(names: readonly string[], path: string): string[] {
  const all = [...names, normalizeName(path)]
  return names.filter(
    (name) => normalizeName(path) !== name && !all.some((other) => other.endsWith(`/${name}`)),
  )
}
