// What a text gets once a browser shows it, by code that most texts do not need: the icons of its callouts.

import { calloutIcon } from './callout-icon.ts'

export function enrich(root: HTMLElement): void {
  for (const title of root.querySelectorAll<HTMLElement>('.callout > .callout-title'))
    title.prepend(calloutIcon(title.parentElement?.dataset.kind ?? ''))
}
