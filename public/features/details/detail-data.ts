import type { Entity, Links } from '../../../lib/contract/entities.ts'
import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import { createWrites } from '../../app/api/entity-writes.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import type { Child } from '../../ui/dom.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'

/** Any kind but pages and files. */
export type DetailRow = Entity & { body: string }

export type DetailData<Row extends DetailRow, Extra> = {
  row: Row
  links: Links
  extra: Extra
  /** While something is typed or sent, changes from elsewhere wait. */
  activity: { busy: boolean; editing: Set<'title' | 'text'> }
}

/** A field that is edited in place. An empty one is sent as null. */
export type FieldSpec = {
  name: string
  label: string
} & (
  | { control: 'choice'; options: readonly { value: string; label: string }[] }
  | { control: 'day' | 'moment' | 'address' }
  | { control: 'line'; required?: boolean }
)

export type DetailDefinition<Row extends DetailRow, Extra> = {
  type: KindType
  fields: (data: DetailData<Row, Extra>) => FieldSpec[]
  load: (context: LoadContext, id: string) => Promise<Extra>
  /** Shown below the text. */
  after?: (data: DetailData<Row, Extra>, context: ViewContext) => Child
  mount?: (root: HTMLElement, data: DetailData<Row, Extra>, context: ViewContext) => void
  affectedBy?: (event: LiveEvent, data: DetailData<Row, Extra>, context: LoadContext) => boolean
  keepsItself?: (data: DetailData<Row, Extra>) => boolean
}

export const pathOf = (type: KindType, id: string): string =>
  `/api/${kindNames[type].path}/${encodeURIComponent(id)}`

export async function loadDetail<Row extends DetailRow, Extra>(
  { type, load }: Pick<DetailDefinition<Row, Extra>, 'type' | 'load'>,
  context: LoadContext,
): Promise<DetailData<Row, Extra>> {
  const id = context.params.id ?? ''
  const at = pathOf(type, id)
  const [row, links, extra] = await Promise.all([
    context.api.get<Row>(at),
    context.api.get<Links>(`${at}/links`),
    load(context, id),
  ])
  return { row, links, extra, activity: { busy: false, editing: new Set() } }
}

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
      data.activity.busy = false
      if (failed || signal.aborted) return
      showStatus('Saved')
      const isOutdated = () => data.activity.busy || data.activity.editing.size > 0
      refresh(isOutdated).then(
        () => isOutdated() || showStatus('Saved'),
        () => {},
      )
    },
  })

  return { save, settled: () => writes.settled(data.row.id) }

  function save(fields: Partial<Row>): void {
    failed = false
    data.activity.busy = true
    showStatus('Saving…')
    writes.change(data.row, fields)
  }
}

function showStatus(text: string): void {
  const status = document.querySelector('#saving')
  if (status) status.textContent = text && ` · ${text}`
}
