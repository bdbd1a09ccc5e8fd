const target = String.raw`\((?:[^()\n]|\([^()\n]{0,300}\)){0,2000}\)`
const image = new RegExp(String.raw`!\[[^[\]\n]{0,500}\]${target}`, 'g')

/** Markdown without what is shown rather than read: images, embedded notes, comments and HTML tags. Words stay. */
export function stripEmbeds(markdown: string): string {
  return markdown
    .replace(/<!--[\s\S]{0,2000}?-->|%%[^%]{0,2000}%%/g, '')
    .replace(/!\[\[[^[\]\n]{0,500}\]\]/g, '')
    .replace(image, '')
    .replace(/<(https?:\/\/[^\s<>]{1,2000})>/gi, '$1')
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, '')
}
