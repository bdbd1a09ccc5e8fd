export type FrontMatter = {
  /** The block with its fences and the line break after it; empty when there is none. */
  raw: string
  /** The lines between the fences. */
  yaml: string
  /** The text after the block. */
  content: string
}

const block = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?(?:\n|(?![\s\S]))/m

/** Splits a YAML front matter block off a Markdown text. Reads no YAML: that is `readProperties`. */
export function splitFrontMatter(text: string): FrontMatter {
  const match = text.startsWith('---') ? block.exec(text) : null
  if (match?.index !== 0) return { raw: '', yaml: '', content: text }
  const [raw, yaml = ''] = match
  return { raw, yaml, content: text.slice(raw.length) }
}
