import type { App } from '../app.ts'
import type { Prefs } from '../prefs.ts'
import type { Store } from '../state.ts'

/** From this width on the rail has a column of its own; below it lies over the content. As in frame.css. */
const columnFrom = '(min-width: 1100px)'
const phone = '(max-width: 699.98px)'

/** Opens and closes the rail in the way that the width of the window asks for, and moves the focus along. */
export function createRailToggle(prefs: Store<Prefs>): App['toggleRail'] {
  let cameFrom: Element | null = null

  return (open) => {
    const column = matchMedia(columnFrom).matches
    const { dataset } = document.documentElement
    if (column) prefs.set({ railOpen: open })
    else if (open) {
      cameFrom = document.activeElement
      dataset.sheet = 'open'
    } else delete dataset.sheet
    setBehind(open && !column && matchMedia(phone).matches)

    if (open) document.querySelector<HTMLElement>('#composer')?.focus()
    else if (column) document.querySelector<HTMLElement>('.strip')?.focus()
    else if (cameFrom instanceof HTMLElement) cameFrom.focus()
  }
}

/** On a phone the sheet covers everything: what lies behind it is out of reach. */
function setBehind(behind: boolean): void {
  for (const place of document.querySelectorAll('.nav-place, #content, .bottom-bar'))
    place.toggleAttribute('inert', behind)
}
