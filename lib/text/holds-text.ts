/** Whether `words` stand in `text`, white space aside: a range of cited blocks is joined without its line breaks. */
export function holdsText(text: string, words: string): boolean {
  const wanted = squeeze(words)
  return wanted !== '' && squeeze(text).includes(wanted)
}

const squeeze = (text: string) => text.replace(/\s+/gu, '')
