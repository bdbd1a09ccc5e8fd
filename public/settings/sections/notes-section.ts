import type { Space } from '../../../lib/contract/entities.ts'
import { maxClipLength } from '../../../lib/contract/limits.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { ViewContext } from '../../app/view.ts'
import { serverUrl } from '../../ui/address.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { hintedRow } from '../parts/setting.ts'
import { spaceLinks } from '../parts/space-links.ts'

/** The button that saves web pages, and where what belongs to a Space is set. */
export const notesSection = defineSection<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  render: ({ items }, context) => [
    el('p', { class: 'dim' }, 'Templates and daily notes are set in each Space.'),
    spaceLinks(items),
    renderClipper(context),
  ],
  mount(root) {
    root.querySelector('#bookmarklet')?.setAttribute('href', bookmarkletHref(serverUrl()))
  },
})

const renderClipper = ({ app }: ViewContext): HTMLElement =>
  el(
    'section',
    { 'aria-labelledby': 'capture' },
    el('h2', { id: 'capture' }, 'Capture'),
    hintedRow(
      'Clip web pages',
      'Drag the button to the bookmarks bar. Click it on a web page to save the page, or the text selected there, as a reference.',
      el(
        'a',
        {
          class: 'button',
          id: 'bookmarklet',
          href: '/capture',
          draggable: 'true',
          onclick: (event: MouseEvent) => {
            event.preventDefault()
            app.toast('Drag the button to the bookmarks bar of the browser.')
          },
        },
        'Clip to Void',
      ),
    ),
    hintedRow(
      'Quick note',
      'A field of its own, for a phone’s home screen or a bookmark',
      el('a', { class: 'button', href: '/capture' }, 'New quick note'),
    ),
  )

/**
 * The address of a bookmark that opens the page for notes of this server with the page it is pressed on: its title and
 * address, the selection or else all of it. The page goes over in a message to this server alone, because policies of
 * pages forbid them to send forms elsewhere; where browsers keep the two apart, title, address and selection arrive.
 */
const bookmarkletHref = (server: string): string =>
  `javascript:${encodeURIComponent(`(${clip})(${JSON.stringify(server)})`)}`

// Runs in a page of another site, so it is written out with nothing around it.
const clip = `server => {
  const selection = getSelection(), chosen = String(selection).trim()
  const root = document.createElement('div')
  if (chosen) for (let i = 0; i < selection.rangeCount; i++) root.append(selection.getRangeAt(i).cloneContents())
  else root.append(document.body.cloneNode(true))
  root.querySelectorAll('script,style,noscript,iframe,svg,template').forEach(node => node.remove())
  root.querySelectorAll('a[href]').forEach(link => link.setAttribute('href', link.href))
  const html = root.innerHTML.slice(0, ${maxClipLength})
  const given = new URLSearchParams({ title: document.title.slice(0, 500), url: location.href, text: chosen.slice(0, 2000).replace(/^/gm, '> ') })
  if (!chosen) given.delete('text')
  const { origin } = new URL(server)
  addEventListener('message', event => {
    if (event.origin === origin && event.data === 'void-clip-ready') event.source.postMessage({ voidClip: html }, origin)
  })
  open(server + '/capture#clip&' + given, '_blank')
}`
