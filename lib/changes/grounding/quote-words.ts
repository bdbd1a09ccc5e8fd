/**
 * The words of a quotation or of a source, as they are compared: lower-case, without marks of Markdown, quotation marks,
 * dashes and punctuation; numbers with their sign, currencies and percent signs count. A script without spaces gives
 * its characters one by one.
 */
export function quoteWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replace(
        /!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g,
        (_, target: string, label?: string) => label ?? target,
      )
      .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
      .replace(/[’‘ʼ]/g, "'")
      .replace(/[*_~`\u00ad\u200b-\u200d\ufeff]/gu, '')
      .replace(unspaced, ' $& ')
      .toLowerCase()
      .match(word) ?? []
  )
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
const word =
  /[\p{Sc}%]|(?<![\p{L}\p{N}])[-−–]?\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|\p{N}+(?:[.,:]\p{N}+)*/gu

/** The stretches of a quotation between marks of omission and words in brackets, each as words. */
export function quoteStretches(text: string): string[][] {
  return text
    .replace(/\[\[|\]\]/g, '')
    .split(/\.{3,}|…|\[[^\][]{0,60}\]/)
    .map(quoteWords)
    .filter((words) => words.length > 0)
}
