import { el } from '../dom.ts'

export type ArmedButton = {
  /** The verb, such as "Revoke". */
  label: string
  /** Of the thing that it is done to. */
  name: string
  id: string
  /** Must not reject. */
  press: () => void
}

/** A button for what cannot be undone, so it needs a second click. */
export function renderArmedButton({ label, name, id, press }: ArmedButton): HTMLButtonElement {
  const button = el(
    'button',
    {
      class: 'button button-small button-danger',
      type: 'button',
      id,
      'aria-label': `${label} ${name}`,
      onclick: () => (button.hasAttribute('data-armed') ? press() : arm(true)),
    },
    label,
  )
  button.addEventListener('blur', () => arm(false))
  // In a view that is drawn again between the two clicks it takes the place of one that is armed. The server draws, too.
  if (globalThis.document?.getElementById(id)?.hasAttribute('data-armed')) arm(true)
  return button

  function arm(armed: boolean): void {
    button.toggleAttribute('data-armed', armed)
    button.textContent = armed ? `${label} permanently` : label
    button.setAttribute('aria-label', armed ? `${label} ${name} permanently` : `${label} ${name}`)
  }
}
