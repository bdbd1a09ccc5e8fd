/** The first web address in a text, without the punctuation that ends the sentence. */
export function findUrl(text: string): string | null {
  const found = /https?:\/\/[^\s<>"“”]{1,2000}/i.exec(text.slice(0, 20_000))?.[0]
  return found?.replace(/[.,;:!?)\]]+$/, '') ?? null
}

/** A name for an address that was given none: its host and the last part of its path. */
export function titleOfUrl(url: string): string {
  const [, host = url, path = ''] = /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)/i.exec(url) ?? []
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  const words = last
    .replace(/\.\w{1,5}$/, '')
    .replace(/[-_+]+|%20/g, ' ')
    .trim()
  return words ? `${words.charAt(0).toUpperCase()}${words.slice(1)} (${host})` : host
}
