// The rail and the navigation where they have no column of their own: they lie over the content until they are closed.

import type { Panels } from '../app/app.ts'
import type { Prefs } from '../app/prefs.ts'
import type { Store } from '../app/state.ts'

type Sheet = 'companion' | 'nav'

/** From this width on the rail has a column of its own. As in small-screens.css, and so is the phone's. */
const columnFrom = '(min-width: 1100px)'
const phone = '(max-width: 699.98px)'

/** Opens and closes them in the way that the width of the window asks for, and moves the focus along. */
export function createSheets(prefs: Store<Prefs>): Pick<Panels, 'toggleRail' | 'toggleNav'> {
  let cameFrom: Element | null = null

  return {
    toggleRail(open) {
      if (matchMedia(columnFrom).matches) {
        document.documentElement.toggleAttribute('data-rail-by-hand', open)
        if (open || !document.querySelector('#view[data-layout="alone"]')) prefs.set({ railOpen: open })
        focus(open ? '#composer' : '.strip')
      } else if (open) show('companion', '#composer')
      else hide()
    },
    toggleNav(open) {
      if (open) show('nav', '.switcher-button')
      else hide()
    },
  }

  function show(sheet: Sheet, first: string): void {
    if (document.documentElement.dataset.sheet === undefined) cameFrom = document.activeElement
    document.documentElement.dataset.sheet = sheet
    setBehind(sheet)
    focus(first)
  }

  function hide(): void {
    delete document.documentElement.dataset.sheet
    setBehind(null)
    if (cameFrom instanceof HTMLElement) cameFrom.focus()
  }
}

/** Going somewhere closes the navigation; a phone shows one thing at a time, so it closes the companion there too. */
export function closeSheets(): void {
  document.documentElement.removeAttribute('data-rail-by-hand')
  if (!matchMedia(phone).matches && document.documentElement.dataset.sheet !== 'nav') return
  delete document.documentElement.dataset.sheet
  setBehind(null)
}

const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()

/** On a phone a sheet covers everything: what lies behind it is out of reach. */
function setBehind(sheet: Sheet | null): void {
  const places = { nav: '.nav-place', companion: '.rail-place' }
  const covered = sheet !== null && matchMedia(phone).matches
  for (const place of document.querySelectorAll('.nav-place, .rail-place, #content, .bottom-bar')) {
    place.toggleAttribute('inert', covered && !place.matches(places[sheet]))
  }
}
