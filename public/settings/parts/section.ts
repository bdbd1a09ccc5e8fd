import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import type { Child } from '../../ui/dom.ts'

/** A section with its data; see `ViewDefinition` for what each part may do. */
export type OpenSection = {
  render(context: ViewContext): Child
  mount?(root: HTMLElement, context: ViewContext): void
  affectedBy?(event: LiveEvent): boolean
}

export type Section = { open(context: LoadContext): Promise<OpenSection> }

type Definition<Data> = {
  load(context: LoadContext): Promise<Data>
  render(data: Data, context: ViewContext): Child
  mount?(root: HTMLElement, data: Data, context: ViewContext): void
  affectedBy?(event: LiveEvent, data: Data): boolean
}

/** A section of the settings: a small view of its own. */
export function defineSection<Data>(definition: Definition<Data>): Section {
  return {
    async open(context) {
      const data = await definition.load(context)
      return {
        render: (context) => definition.render(data, context),
        mount: (root, context) => definition.mount?.(root, data, context),
        affectedBy: (event) => definition.affectedBy?.(event, data) ?? false,
      }
    },
  }
}
