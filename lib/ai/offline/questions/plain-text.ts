// Markdown as a person would read it aloud: links are their words, and images, comments and tags are gone. What stands
// in inline code stays exactly as it is.

/** One line or paragraph of Markdown, white space folded. */
export function plainText(markdown: string): string {
  const parts = markdown.replaceAll('\0', '').split(/(`[^`\n]{1,500}`)/)
  return parts
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`') ? part : withoutMarks(part),
    )
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A title or heading as it may stand inside bold text. */
export const plainName = (name: string) =>
  plainText(name)
    .replace(/[*`[\]<>|]|(?<!\w)_|_(?!\w)/g, '')
    .slice(0, 300)

const target = String.raw`\(((?:[^()\n]|\([^()\n]{0,300}\)){0,2000})\)`
const image = new RegExp(String.raw`!\[[^[\]\n]{0,500}\]${target}`, 'g')
const link = new RegExp(String.raw`\[([^[\]\n]{1,500})\]${target}`, 'g')

function withoutMarks(text: string): string {
  return text
    .replace(/<!--[\s\S]{0,2000}?-->|%%[^%]{0,2000}%%/g, '')
    .replace(/!\[\[[^[\]\n]{0,500}\]\]/g, '')
    .replace(image, '')
    .replace(/\[\[([^[\]\n]{1,500})\]\]/g, (_all, inner: string) => labelOf(inner))
    .replace(link, linkText)
    .replace(/<(https?:\/\/[^\s<>]{1,2000})>/gi, '$1')
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, '')
    .replace(/\*\*|__|==|~~/g, '')
    .replace(/ \^[\w-]{1,40}$/gm, '')
}

/** Of `Page#Heading|label` the label, else the name. */
function labelOf(inner: string): string {
  const [target = '', label] = inner.split(/\\?\|/)
  return (label ?? target.replace(/#\^?/, ' › ').replace(/^ › /, '')).trim()
}

/** A web address stays readable beside the words that hid it. */
function linkText(_all: string, label: string, target: string): string {
  const url = target.trim().split(/\s/, 1)[0]?.replace(/^<|>$/g, '') ?? ''
  return /^https?:/i.test(url) && !label.includes(url) ? `${label} (${url})` : label
}
