import type { KindType } from '../addresses.ts'
import { ApiError, messageOf } from '../api.ts'
import { createWrites } from '../entity-writes.ts'
import type { ViewContext } from '../view.ts'
import { type DetailData, type DetailRow, pathOf } from './detail-data.ts'

export type Saver<Row> = { save(fields: Partial<Row>): void }

/** Keeps the fields of a thing and says how that went. A field that could not be kept still shows what was set. */
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
      say('')
      const stale = error instanceof ApiError && error.status === 409 && error.code === 'stale_version'
      app.toast(
        stale
          ? `“${before.title}” was changed elsewhere meanwhile, so this was not saved. You see it as it is now; set it again if you still want to.`
          : `Not saved. ${messageOf(error)}`,
        { tone: 'problem', ...(stale ? {} : { action: { label: 'Try again', run: () => save(fields) } }) },
      )
      if (stale) refresh()
    },
    onIdle() {
      data.held.busy = false
      if (failed || signal.aborted) return
      say('Saved')
      const isOutdated = () => data.held.busy || data.held.editing
      refresh(isOutdated).then(
        () => isOutdated() || say('Saved'),
        () => {},
      )
    },
  })

  return { save }

  function save(fields: Partial<Row>): void {
    failed = false
    data.held.busy = true
    say('Saving …')
    writes.change(data.row, fields)
  }
}

function say(words: string): void {
  const place = document.querySelector('#saving')
  if (place) place.textContent = words && ` · ${words}`
}
