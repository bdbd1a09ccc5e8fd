// Texts that give orders, read by a model that obeys every one.

import { readFileSync } from 'node:fs'
import { attack } from '../attack.ts'
import { parsePayloads } from '../payload.ts'
import type { Surface } from '../surface.ts'

/** The two hundred of payloads.jsonl, or those of the given files. */
export const textsFrom = (files: readonly (string | URL)[]): Surface => ({
  name: 'hostile texts',
  attack: async (trial, { databaseUrl }) => {
    const payloads = files.flatMap((file) => parsePayloads(readFileSync(file, 'utf8')))
    const report = await attack({ payloads, databaseUrl })
    trial.tried(report.calls)
    for (const text of report.texts) trial.fell(text)
  },
})

export const surface = textsFrom([new URL('../payloads.jsonl', import.meta.url)])
