import { readFileSync } from 'node:fs'
import { wantsHelp } from '../../lib/server/cli/wants-help.ts'

/** Prints the comment at the top of a program, which is its help, and ends the process, where the arguments ask for it. */
export function printHelp(program: string): void {
  if (!wantsHelp(process.argv.slice(2))) return
  const [comment = ''] = /^(\/\/.*\n)+/.exec(readFileSync(new URL(program), 'utf8')) ?? []
  console.log(comment.replace(/^\/\/ ?/gm, '').trim())
  process.exit(0)
}
