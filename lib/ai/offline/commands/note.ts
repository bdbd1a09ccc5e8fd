import type { Clause, Command } from './command.ts'
import { newPage } from './create-page.ts'
import { unquote } from './unquote.ts'

const opening =
  /^(?:(?:make|take|write|add) (?:a |this )?note|note(?: down)?|jot down|write down|remember|write this down|keep in mind)(?: that|:| of:?) (.+)$/is

/** "Note that the boiler code is 1234": a page that says so, titled with its first words. */
export function readNote({ head, below, said }: Clause): Command | null {
  const text = unquote(opening.exec(head)?.[1] ?? '')
  if (text === '') return null
  const body = [text, below].filter(Boolean).join('\n\n')
  return newPage({ title: firstWords(text), body, parent: null, said })
}

/** Up to eight words, to the end of the sentence at most. */
function firstWords(text: string): string {
  const sentence = text.slice(0, 400).split(/[.!?:;](?:\s|$)/, 1)[0] ?? text
  const words = sentence.split(' ')
  const title = words.slice(0, 8).join(' ').slice(0, 120).toWellFormed()
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}${words.length > 8 ? ' …' : ''}`
}
