import { readFileSync } from 'node:fs'

/** The commands of the fenced shell blocks of a document, block by block: whole lines, without the remark behind them. */
export function commandBlocks(file: string): string[][] {
  const blocks = readFileSync(file, 'utf8').matchAll(/^```sh[^\n]*\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, block]) =>
    block!
      .replaceAll(/ *\\\n\s*/g, ' ')
      .split('\n')
      .map((line) => line.replace(/ {2,}#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
}

/** The commands of the one block that begins with this one. Throws when there is none. */
export function blockOf(file: string, first: string): string[] {
  const block = commandBlocks(file).find(([command]) => command === first)
  if (!block) throw new Error(`${file} has no block that begins with ${first}`)
  return block
}
