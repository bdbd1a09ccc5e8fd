import type { ViewContext } from './view.ts'

/**
 * Changes the query of the URL and refreshes the view: focus and scroll position stay, and the history gets no entry. A
 * value that is null or empty is removed.
 */
export async function changeQuery(
  { url, refresh }: Pick<ViewContext, 'url' | 'refresh'>,
  changes: Record<string, string | number | null>,
): Promise<void> {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, String(value))
  }
  history.replaceState(history.state, '', url)
  await refresh()
}
