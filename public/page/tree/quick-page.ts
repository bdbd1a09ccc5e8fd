import type { TreePage } from '../../../lib/contract/space/pages.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'

export type QuickPageOptions = {
  context: ViewContext
  onCreated: (parent: TreePage | null) => Promise<void>
}

/** The field above the tree: a title and Enter create a page, and the field is ready for the next one. */
export function mountQuickPage(root: HTMLElement, { context, onCreated }: QuickPageOptions) {
  const { app, space, signal } = context
  const form = root.querySelector<HTMLFormElement>('#quick-page-form')!
  const field = root.querySelector<HTMLInputElement>('#quick-page')!
  const chip = root.querySelector<HTMLButtonElement>('#quick-page-parent')!
  const draft = savedText(`quick-page:${space!.id}`)
  let parent: TreePage | null = null

  field.value = draft.read()
  field.addEventListener('input', () => draft.write(field.value), { signal })
  field.addEventListener('keydown', cancel, { signal })
  chip.addEventListener('click', () => start(null), { signal })
  form.addEventListener('submit', create, { signal })
  return { start }

  /** Focuses the field, for a page below another or at the top level. */
  function start(below: TreePage | null): void {
    parent = below
    chip.hidden = parent === null
    field.placeholder = parent ? 'Title' : 'New page title'
    chip.replaceChildren(`in ${parent?.title ?? ''}`, icon('close'))
    chip.setAttribute('aria-label', `In ${parent?.title ?? ''}. Press to create it at the top level instead`)
    field.focus()
  }

  async function create(event: Event): Promise<void> {
    event.preventDefault()
    const title = field.value.trim()
    if (title === '') return
    field.value = ''
    try {
      await app.api.post(`/api/spaces/${space!.id}/pages`, { title, body: '', parent_id: parent?.id ?? null })
      draft.write('')
      app.announce(`Created ${quoteShown(title)}.`)
      await onCreated(parent)
    } catch (error) {
      field.value = title
      app.toast(`Could not create ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  function cancel(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    const back = parent ? root.querySelector<HTMLElement>(`#row-${parent.id}`) : null
    start(null)
    ;(back ?? root.querySelector<HTMLElement>('#page-rows [tabindex="0"]') ?? field).focus()
  }
}
