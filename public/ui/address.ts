// The one place of the browser that knows the path that Void is served below. Views, links and the router know addresses as
// they are within Void, such as `/inbox`; `el` in dom.ts and `trustMarkup` in platform.ts write them out.

import { basePath } from '#platform'
import { addBase, removeBase } from '../../lib/core/text/links/base-path.ts'

/** Where this page is, within Void. */
export const pageUrl = (): URL => within(location.href) ?? new URL(location.href)

/** A whole address as one within Void; `null` for any other. */
export function within(address: string): URL | null {
  const url = new URL(address)
  const path = url.origin === location.origin ? removeBase(basePath, url.pathname) : null
  if (path === null) return null
  url.pathname = path
  return url
}

/** An address within Void as the browser and others see it: a path, as `fetch` and links take it. */
export const outward = (address: string): string => addBase(basePath, address)

/** As `outward`, of a URL. */
export const outwardUrl = ({ pathname, search, hash, origin }: URL): string =>
  origin + outward(pathname) + search + hash

/** Where this server is, without a slash at the end. */
export const serverUrl = (): string => location.origin + basePath

/** Leaves the page for another document of Void. */
export const leaveFor = (address: string): void => location.assign(outward(address))

/** A name in what all pages of a host share, such as channels and locks. */
export const ownName = (name: string): string => name + basePath
