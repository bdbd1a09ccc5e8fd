/** How the names of the unsaved texts of a page begin. */
export const unsavedPrefix = (pageId: string): string => `page:${pageId}:`

/** The names of the texts of a page that this device has. */
export function unsavedNames(pageId: string): string[] {
  try {
    const start = `void:draft:${unsavedPrefix(pageId)}`
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice('void:draft:'.length))
  } catch {
    return []
  }
}
