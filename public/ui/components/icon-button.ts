import { el, type Props } from '../dom.ts'
import { type IconName, icon } from './icon.ts'

/** A button with an icon only: the label is its tooltip and its accessible name. */
export const iconButton = (
  label: string,
  name: IconName,
  onclick: (event: Event) => void,
  props: Props = {},
): HTMLButtonElement =>
  el(
    'button',
    { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick, ...props },
    icon(name),
  )
