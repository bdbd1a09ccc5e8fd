import type { Entity } from '../../../lib/contract/entities/entities.ts'
import type { Links } from '../../../lib/contract/entities/links.ts'
import type { LiveEvent } from '../../../lib/contract/events/live.ts'
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
  held: { busy: boolean; editing: boolean }
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
  return { row, links, extra, held: { busy: false, editing: false } }
}
