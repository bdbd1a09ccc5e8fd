import { type Child, el } from '../dom.ts'

export type DialogOptions = {
  title: string
  /** A word for the styles: `dialog-…`. */
  name?: string
  /** Called once when it has closed, however it was closed. */
  onClose?: () => void
}

/**
 * Shows a modal dialog with a title and a close button; Escape and a click outside close it too, and the focus returns
 * to where it was. The element's `close()` closes it.
 */
export function showDialog(
  { title, name = 'plain', onClose }: DialogOptions,
  ...content: Child[]
): HTMLDialogElement {
  const dialog = el(
    'dialog',
    {
      class: ['dialog', `dialog-${name}`],
      'aria-labelledby': 'dialog-title',
      onclick: (event: MouseEvent) => {
        if (event.target === dialog) dialog.close()
      },
      onclose: () => {
        dialog.remove()
        onClose?.()
      },
    },
    el(
      'div',
      { class: 'dialog-body' },
      el('h2', { id: 'dialog-title', class: 'dialog-title' }, title),
      content,
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}
