// Passages in ten languages, each with sentences that copy it, an honest paraphrase, and two falsehoods that are near it:
// twenty of each of ten kinds. near-misses.txt has a line for each: P a passage, H honest, F and its kind a falsehood.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allSentences } from '../../../../lib/companion/research/rules/sentences.ts'

type NearMiss = { language: string; kind: string; claim: string; sentences: string[] }

export function readNearMisses(path = join(import.meta.dirname, 'near-misses.txt')): NearMiss[] {
  const rows: NearMiss[] = []
  let [language, sentences] = ['', [] as string[]]
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [letter = '', ...words] = line.split(' ')
    const text = words.join(' ')
    if (letter === 'P') {
      sentences = allSentences(text)
      rows.push(...sentences.map((claim) => ({ language, kind: 'copy', claim, sentences })))
    } else if (letter === 'H') rows.push({ language, kind: 'honest', claim: text, sentences })
    else if (letter === 'F')
      rows.push({ language, kind: words[0]!, claim: words.slice(1).join(' '), sentences })
    else if (line !== '') language = line
  }
  return rows
}
