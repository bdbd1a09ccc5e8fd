import { cleanLine } from './clean.ts'

const maxTitleLength = 80

/** The first words of a message, as the title of the conversation that it begins. */
export const firstWords = (text: string): string => cleanLine(text).slice(0, maxTitleLength).toWellFormed()

/** At most `length` characters of a line, in whole words unless the first is longer, so that what is cut is a quotation still. */
export function cutAtWord(line: string, length: number): string {
  if (line.length <= length) return line.toWellFormed()
  const cut = line.slice(0, length)
  const end = line[length] === ' ' ? length : cut.lastIndexOf(' ')
  return (end > 0 ? cut.slice(0, end) : cut).trimEnd().toWellFormed()
}
