/**
 * Markdown without the signs that do not show: links keep their label, headings, lists and quotes their words, rules
 * and the fences of code and front matter go. For excerpts, so a link that is cut off keeps its label too. Lines stay.
 */
export function plainText(markdown: string): string {
  return markdown
    .replace(
      /!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g,
      (_all, target: string, label?: string) => label || target,
    )
    .replace(/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\)|$)/g, '$1')
    .replace(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>|\|)[ \t]+/gm, '')
    .replace(/^[ \t]*\[[ x]\][ \t]+/gim, '')
    .replace(/^[ \t]*\[!\w+\][+-]?[ \t]*/gm, '')
    .replace(/^[-|:* \t]+$/gm, (line) => (/---|\*\*\*/.test(line) ? '' : line))
    .replace(/^[ \t]*`{3}.*$/gm, '')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1')
}
