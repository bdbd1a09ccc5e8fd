// Texts that try to run script, made by combining what attackers combine. Each carries a number of its own, so that
// the one that got through can be named:
//
//   for (const { text, n } of hostilePayloads()) … a page that calls `__xss(n)` has run the payload n
//
// In the parts, `RUN` stands for the call.

import { cssTexts } from './css.ts'
import { handlerTexts } from './handlers.ts'
import { markdownTexts } from './markdown.ts'
import { mutationTexts } from './mutations.ts'
import { namingTexts } from './naming.ts'
import { scriptTexts } from './scripts.ts'
import { unicodeTexts } from './unicode.ts'
import { urlTexts } from './urls.ts'

export type Payload = { n: number; group: string; text: string }

const groups = {
  script: scriptTexts,
  handler: handlerTexts,
  url: urlTexts,
  mutation: mutationTexts,
  naming: namingTexts,
  css: cssTexts,
  markdown: markdownTexts,
  unicode: unicodeTexts,
}

/** All of them, the same ones in the same order each time. */
export function hostilePayloads(): Payload[] {
  return Object.entries(groups)
    .flatMap(([group, make]) => make().map((text) => ({ group, text })))
    .map(({ group, text }, n) => ({ n, group, text: text.replaceAll('RUN', `__xss(${n})`) }))
}

/** Payloads in one line, as titles and names are. */
export const hostileLines = (): Payload[] =>
  hostilePayloads().map((payload) => ({ ...payload, text: payload.text.replace(/\s+/g, ' ').trim() }))

/** Every `step`th of them, beginning anywhere, so that several places share the work. */
export const everyNth = <Item>(items: readonly Item[], step: number, from = 0): Item[] =>
  items.filter((_, index) => index % step === from % step)
