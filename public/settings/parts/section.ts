import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import { messageOf } from '../../app/api/api.ts'
import { changeQuery, type LoadContext, type ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'

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

/** Several sections as one, below each other. */
export async function combine(parts: readonly (() => Promise<Section>)[]): Promise<Section> {
  const sections = await Promise.all(parts.map((load) => load()))
  return {
    async open(context) {
      const opened = await Promise.all(sections.map((section) => section.open(context)))
      return {
        render: (whole) => opened.map((section) => section.render(whole)),
        mount(root, whole) {
          for (const section of opened) section.mount?.(root, whole)
        },
        affectedBy: (event) => opened.some((section) => section.affectedBy?.(event) ?? false),
      }
    },
  }
}

/**
 * Closes and empties the form that is shown by now: live news may have drawn it anew since it was sent, and what was
 * typed may be a secret.
 */
export function closeForm(detailsId: string): void {
  const details = document.getElementById(detailsId)
  details?.querySelector('form')?.reset()
  details?.removeAttribute('open')
}

/** Opens the form of what was saved but does not work yet, with the saved values; a secret that was typed does not stay. */
export async function showFormAgain(id: string, context: ViewContext): Promise<void> {
  await changeQuery(context, { edit: id })
  const details = document.getElementById(`edit-${id}`)
  details?.querySelector('form')?.reset()
  details?.setAttribute('open', '')
  details?.scrollIntoView({ block: 'nearest' })
}

/** Makes a change and says so, or why not; then the view is read again. Never rejects. */
export type ToastChange = (work: () => Promise<unknown>, done: string) => Promise<void>

export const createToastChange =
  ({ app, refresh }: ViewContext): ToastChange =>
  async (work, done) => {
    try {
      await work()
      app.toast(done)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
    await refresh()
  }

/** A table of figures that scrolls in itself; the first cell of a row names it. */
export const renderFigures = (
  label: string,
  heads: readonly string[],
  rows: readonly (readonly [name: Child, ...cells: Child[]])[],
): HTMLElement =>
  el(
    'div',
    { class: 'usage-scroll', tabindex: 0, role: 'region', 'aria-label': label },
    el(
      'table',
      { class: 'figures usage-table' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          heads.map((head) => el('th', { scope: 'col' }, head)),
        ),
      ),
      el(
        'tbody',
        {},
        rows.map(([name, ...cells]) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, name),
            cells.map((cell) => el('td', {}, cell)),
          ),
        ),
      ),
    ),
  )
