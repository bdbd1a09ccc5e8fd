import type { Search, ShownPage } from '../../../search/search.ts'

/**
 * A search that answers the same question once: within one turn of a run the terms of the plan are checked with what is
 * then retrieved. A turn that goes on after a pause asks anew.
 */
export function rememberSearches(search: Pick<Search, 'show'>): Pick<Search, 'show'> {
  const known = new Map<string, ShownPage>()
  return {
    async show(request, length) {
      const key = JSON.stringify([request, length])
      const found = known.get(key) ?? (await search.show(request, length))
      known.set(key, found)
      return found
    },
  }
}
