export type AddressedEntity = {
  /** Of the Space. */
  slug: string
  /** Of its kind, such as `pages`. */
  segment: string
  id: string
  /** The words that are marked there; empty for none. */
  cite: string
}

/** Where an entity is shown, as a path of this server. */
export const entityAddress = ({ slug, segment, id, cite }: AddressedEntity): string =>
  `/s/${encode(slug)}/${segment}/${encode(id)}${cite ? `?cite=${encode(cite)}` : ''}`

/** What stands as it is in the address of a Markdown link; of text that may be cut anywhere. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
