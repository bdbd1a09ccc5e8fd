import type { App } from '../../app/app.ts'
import { browserImportOf } from './browser-import.ts'
import { readEntries } from './read-files.ts'

/** Imports dropped files into the current Space (or the last one), and shows the progress. */
export async function importDrop(
  app: App,
  entries: readonly FileSystemEntry[],
  files: readonly File[],
): Promise<void> {
  const picked = await readEntries(entries, files)
  const space = app.state.get().space ?? app.state.get().spaces[0]
  if (!space || picked.length === 0) return
  void browserImportOf(app).start(picked, space)
  await app.navigate('/settings/import')
}
