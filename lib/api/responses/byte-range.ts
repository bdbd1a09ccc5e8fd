/** Bytes of one part: players ask for the next one. */
const maxPartBytes = 4 * 1024 * 1024

/**
 * The bytes that a `Range` header asks for, both included; `null` for all of them, as where it asks for several parts or
 * for what there is not (RFC 9110, 14.2: a server may ignore it).
 */
export function byteRange(header: string | undefined, size: number): { from: number; to: number } | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  const [, first = '', last = ''] = found ?? []
  if (!found || (first === '' && last === '') || size === 0) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (from > end) return null
  return { from, to: Math.min(end, from + maxPartBytes - 1) }
}
