import { cleanLine } from './clean.ts'

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

const maxPassage = 300
/** What is looked at for a line with words. */
const maxRead = 4000

/** The first line of a text that has words, as it is shown, to find that place again; `null`: it has none. */
export function passageOf(markdown: string | undefined): string | null {
  const lines = plainText((markdown ?? '').slice(0, maxRead)).split('\n')
  const line = lines.map(cleanLine).find((each) => /[\p{L}\p{N}]/u.test(each))
  return line?.slice(0, maxPassage).toWellFormed() ?? null
}
