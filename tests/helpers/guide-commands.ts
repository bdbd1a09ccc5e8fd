import { readFileSync } from 'node:fs'

/** A block of commands of a guide, by the word behind its language. */
export function commandsOf(guide: string, name: string): string {
  const block = new RegExp(`\n\`\`\`sh ${name}\n([\\s\\S]*?)\n\`\`\`\n`).exec(
    readFileSync(guide, 'utf8'),
  )?.[1]
  if (!block) throw new Error(`${guide} has no block ${name}`)
  return block
}
