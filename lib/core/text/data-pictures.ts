// Pictures whose bytes stand in a text, as `data:` addresses (RFC 2397): a text is read without them.

/** Fewer characters are no burden. */
const data = /(data:image\/[a-z0-9.+-]{1,40};base64,)([a-z0-9+/]{200,}={0,2})/gi

const shortened = /data:image\/[a-z0-9.+-]{1,40};base64,…\d{1,9}kB-[0-9a-f]{8}/gi

/** What a browser shows and in which nothing runs. */
const shown = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z0-9+/]+={0,2}$/i

export const isShownPicture = (address: string): boolean => shown.test(address)

/** A text with the size and a mark in place of such bytes, by which `restorePictures` finds them again. */
export function shortenPictures(text: string): string {
  if (!text.includes(';base64,')) return text
  return text.replace(
    data,
    (_, head: string, bytes: string) => `${head}…${Math.ceil((bytes.length * 0.75) / 1024)}kB-${mark(bytes)}`,
  )
}

/** A text with the bytes that `original` holds in place of their marks. Marks of others stay. */
export function restorePictures(text: string, original: string): string {
  if (!text.includes(';base64,…')) return text
  const known = new Map(Array.from(original.matchAll(data), ([whole]) => [shortenPictures(whole), whole]))
  return text.replace(shortened, (whole) => known.get(whole) ?? whole)
}

/** Whether a text has the mark of a picture in place of its bytes. */
export const hasMark = (text: string): boolean => text.includes(';base64,…') && text.search(shortened) >= 0

/** The spans of a text between such pictures, in order. The words of a picture stay, its address does not. */
export function aroundPictures(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let start = 0
  for (const { index, 0: whole } of text.includes(';base64,') ? text.matchAll(data) : []) {
    const opening =
      /(?:!?\[[ \t]{0,9})?\]\(<?$/.exec(text.slice(Math.max(start, index - 200), index))?.[0] ?? ''
    const end = index + whole.length
    spans.push({ start, end: index - opening.length })
    start = end + (/^>?\)?/.exec(text.slice(end, end + 2))?.[0].length ?? 0)
  }
  return [...spans, { start, end: text.length }]
}

/** FNV-1a of 32 bits. */
function mark(bytes: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ bytes.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
