import { distanceFrom } from '../core/text/words/edit-distance.ts'
import { fileVariable, variables } from './config.ts'

/** Short names are too close to those of others. */
const minMisspelt = 8
const maxSlips = 2

/** Variables that are no setting and look like one. */
export function findMisspelt(env: NodeJS.ProcessEnv = process.env): { name: string; setting: string }[] {
  const known = new Set([...variables, fileVariable])
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || name.length < minMisspelt) return []
    const distanceTo = distanceFrom(name, maxSlips)
    const setting = variables.find((one) => one.length >= minMisspelt && distanceTo(one) <= maxSlips)
    return setting ? [{ name, setting }] : []
  })
}
