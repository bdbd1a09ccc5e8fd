/** Words, runs of white space, line breaks, and every other character by itself; joined they are the text. */
export const splitWords = (text: string): string[] =>
  text.match(/\r?\n|[^\S\n]+?(?=\r?\n)|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|[^\s]/gu) ?? []

/** The number of words: runs of letters and digits. */
export const countWords = (text: string): number => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0
