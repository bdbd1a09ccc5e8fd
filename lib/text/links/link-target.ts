/** A place in a Markdown text from which a reader could be led somewhere. */
export type LinkTarget = {
  kind: 'link' | 'image' | 'wikilink' | 'embed' | 'html'
  /** What a reader sees of it, or the beginning of that; the target for a bare address. */
  label: string
  /** As it is written. */
  target: string
  /** Its characters in the text: from `start` up to `end`. */
  start: number
  end: number
  /** Where the part with the target begins; `start` for what has no other part. */
  target_start: number
}
