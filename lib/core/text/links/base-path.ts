// Void below a path, such as `https://example.org/void`. Within Void every address begins at its own root (`/inbox`); what
// enters loses the base path and what leaves gets it, in lib/api/base-path.ts and in public/ui/address.ts alone.

/** An address of Void as others see it; any other stays as it is. `base`: `''` at the root of a host, else such as `/void`. */
export const addBase = (base: string, address: string): string =>
  /^\/(?!\/)/.test(address) ? base + address : address

/** The path of Void in the path of a request or a page; `null` for one that is not below the base. */
export function removeBase(base: string, path: string): string | null {
  const rest = path.startsWith(base) ? path.slice(base.length) : 'x'
  return /^(?:$|[/?#])/.test(rest) ? rest.replace(/^(?!\/)/, '/') : null
}
