import type { TreePage } from '../../lib/contract/entities.ts'
import { messageOf } from '../api.ts'
import { icon } from '../components/icon.ts'
import { keepDraft } from '../drafts.ts'
import type { ViewContext } from '../view.ts'

export type QuickPageOptions = {
  context: ViewContext
  onCreated: (parent: TreePage | null) => Promise<void>
}

/** The field above the tree: a title and Enter make a page, and the field is ready for the next one. */
export function mountQuickPage(root: HTMLElement, { context, onCreated }: QuickPageOptions) {
  const { app, space, signal } = context
  const form = root.querySelector<HTMLFormElement>('#quick-page-form')!
  const field = root.querySelector<HTMLInputElement>('#quick-page')!
  const chip = root.querySelector<HTMLButtonElement>('#quick-page-parent')!
  const draft = keepDraft(`quick-page:${space!.id}`)
  let parent: TreePage | null = null

  field.value = draft.read()
  field.addEventListener('input', () => draft.write(field.value), { signal })
  field.addEventListener('keydown', giveUp, { signal })
  chip.addEventListener('click', () => start(null), { signal })
  form.addEventListener('submit', create, { signal })
  return { start }

  /** Puts the focus into the field, for a page below another or at the top. */
  function start(below: TreePage | null): void {
    parent = below
    chip.hidden = parent === null
    field.placeholder = parent ? 'Title' : 'New page: type a title, press Enter'
    chip.replaceChildren(`below ${parent?.title ?? ''}`, icon('close'))
    chip.setAttribute('aria-label', `Below ${parent?.title ?? ''}; press to make it at the top instead`)
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
      app.announce(`“${title}” is made.`)
      await onCreated(parent)
    } catch (error) {
      field.value = title
      app.toast(`“${title}” was not made. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  function giveUp(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    const back = parent ? root.querySelector<HTMLElement>(`#row-${parent.id}`) : null
    start(null)
    ;(back ?? root.querySelector<HTMLElement>('#page-rows [tabindex="0"]') ?? field).focus()
  }
}
