import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { App } from '../../app/app.ts'
import { browserImportOf } from './browser-import.ts'
import { hasChanged } from './import-outcomes.ts'
import { readEntries } from './import-plan.ts'
import { isBusy } from './import-state.ts'

/** Imports dropped files into the current Space (or the last one). The view stays; messages say what happens. */
export async function importDrop(
  app: App,
  entries: readonly FileSystemEntry[],
  files: readonly File[],
): Promise<void> {
  const picked = await readEntries(entries, files)
  if (picked.length === 0) return
  const space = app.state.get().space ?? app.state.get().spaces[0]
  if (!space) return app.toast('Create a Space first, then drop the files again.', { tone: 'problem' })

  const job = browserImportOf(app)
  const show = { label: 'Show', run: () => app.navigate('/settings/import') }
  if (isBusy(job.state.get())) {
    const message = 'An import is already running. Drop the files again when it has ended.'
    return app.toast(message, { tone: 'problem', action: show })
  }
  const what = picked.length === 1 ? quoteShown(picked[0]!.path) : `${picked.length} files`
  app.toast(`Importing ${what} into ${space.name}.`, { action: show })
  await job.start(picked, space)

  const { phase, problem, job: made } = job.state.get()
  if (phase === 'asking')
    app.toast('Some of these files were imported before.', { action: { ...show, label: 'Answer' } })
  else if (phase !== 'done') app.toast(problem || `The import ${phase}.`, { tone: 'problem', action: show })
  else if (hasChanged(made?.counts ?? {})) {
    const undo = { label: 'Undo', run: () => job.undo() }
    app.toast(`Imported ${what} into ${space.name}.`, { action: undo })
  } else app.toast(`Imported nothing new from ${what}.`, { action: show })
}
