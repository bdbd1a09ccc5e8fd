/** At most `length` characters of a line, in whole words unless the first is longer, so that what is cut is a quotation still. */
export function cutAtWord(line: string, length: number): string {
  if (line.length <= length) return line.toWellFormed()
  const cut = line.slice(0, length)
  const end = line[length] === ' ' ? length : cut.lastIndexOf(' ')
  return (end > 0 ? cut.slice(0, end) : cut).trimEnd().toWellFormed()
}
