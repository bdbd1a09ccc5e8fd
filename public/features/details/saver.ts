import { quoteShown } from '../../../lib/text/quote-name.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import { createWrites } from '../../app/api/entity-writes.ts'
import type { ViewContext } from '../../app/view.ts'
import type { KindType } from '../../ui/words/addresses.ts'
import { type DetailData, type DetailRow, pathOf } from './detail-data.ts'

export type Saver<Row> = {
  save(fields: Partial<Row>): void
  /** Resolves once what is being saved is saved or has failed. */
  settled(): Promise<void>
}

/** Saves the fields of an entity and shows the status. A field that could not be saved still shows what was entered. */
export function createSaver<Row extends DetailRow, Extra>(
  type: KindType,
  data: DetailData<Row, Extra>,
  { app, refresh, signal }: ViewContext,
): Saver<Row> {
  let failed = false
  const writes = createWrites<Row>({
    api: app.api,
    path: (id) => pathOf(type, id),
    show: (row) => {
      data.row = row
    },
    onFailure({ error, before, fields }) {
      failed = true
      data.row = before
      showStatus('')
      const stale = error instanceof ApiError && error.status === 409 && error.code === 'stale_version'
      app.toast(
        stale
          ? `${quoteShown(before.title)} was changed in the meantime, so your change was not saved. Check the new version, then try again.`
          : `Could not save. ${messageOf(error)}`,
        { tone: 'problem', ...(stale ? {} : { action: { label: 'Try again', run: () => save(fields) } }) },
      )
      if (stale) refresh()
    },
    onIdle() {
      data.held.busy = false
      if (failed || signal.aborted) return
      showStatus('Saved')
      const isOutdated = () => data.held.busy || data.held.editing
      refresh(isOutdated).then(
        () => isOutdated() || showStatus('Saved'),
        () => {},
      )
    },
  })

  return { save, settled: () => writes.settled(data.row.id) }

  function save(fields: Partial<Row>): void {
    failed = false
    data.held.busy = true
    showStatus('Saving…')
    writes.change(data.row, fields)
  }
}

function showStatus(text: string): void {
  const status = document.querySelector('#saving')
  if (status) status.textContent = text && ` · ${text}`
}
