import { maxClipLength } from '../../../lib/contract/limits.ts'

/**
 * The address of a bookmark that opens the page for notes of this server with the page it is pressed on: its title and
 * address, the selection or else all of it. The page goes over in a message to this server alone, because policies of
 * pages forbid them to send forms elsewhere; where browsers keep the two apart, title, address and selection arrive.
 */
export const bookmarkletHref = (server: string): string =>
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
  addEventListener('message', event => {
    if (event.origin === server && event.data === 'void-clip-ready') event.source.postMessage({ voidClip: html }, server)
  })
  open(server + '/capture#clip&' + given, '_blank')
}`
