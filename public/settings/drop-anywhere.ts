import type { App } from '../app.ts'
import { importJobOf } from './import-job.ts'
import { readEntries } from './read-files.ts'

/** Brings dropped files into the Space that is open (or the last one), and shows how far it is. */
export async function importDrop(
  app: App,
  entries: readonly FileSystemEntry[],
  files: readonly File[],
): Promise<void> {
  const picked = await readEntries(entries, files)
  const space = app.state.get().space ?? app.state.get().spaces[0]
  if (!space || picked.length === 0) return
  void importJobOf(app).start(picked, space)
  await app.navigate('/settings/import')
}
