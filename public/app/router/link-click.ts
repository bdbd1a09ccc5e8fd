/** The address that a click asks for: a plain click on a link of the app. `null` for any other. */
export function hrefOfClick(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const anchor = event.target instanceof Element ? event.target.closest('a') : null
  if (!anchor || anchor.target === '_blank' || anchor.hasAttribute('download')) return null
  if (anchor.origin !== location.origin || /^\/(api|assets|sign-|capture$)/.test(anchor.pathname)) return null
  // The server redirects it to a Space.
  return anchor.pathname === '/' ? null : anchor.href
}
