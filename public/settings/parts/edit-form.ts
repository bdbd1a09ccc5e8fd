import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'

/** "Edit", which opens the form of one thing of a list. */
export const renderEditForm = (
  { id, name }: { id: string; name: string },
  form: HTMLElement,
): HTMLDetailsElement =>
  el(
    'details',
    { class: 'token-new', id: `edit-${id}` },
    el('summary', { class: 'button button-small', 'aria-label': `Edit ${name}` }, icon('edit'), 'Edit'),
    form,
  )

/**
 * Closes and empties the form that is shown by now: live news may have drawn it anew since it was sent, and what was
 * typed may be a secret.
 */
export function closeForm(detailsId: string): void {
  const details = document.getElementById(detailsId)
  details?.querySelector('form')?.reset()
  details?.removeAttribute('open')
}
