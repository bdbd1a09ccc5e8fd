// The one count of tokens, held to what tokenizers made of the same texts.

import { expect, test } from 'vitest'
import { countTokens } from '../../../lib/core/text/count-tokens.ts'

/** Tokens by OpenAI's o200k_base, and by Anthropic's published tokenizer. */
const measured: [name: string, openai: number, anthropic: number, text: string][] = [
  [
    'prose',
    54,
    55,
    'The boat house is cleaned by hand every year in May, before the season opens. The lease is renewed for twelve months unless it is terminated three months before it ends. The keys are with the caretaker on the ground floor, who answers the telephone between nine and twelve.',
  ],
  [
    'Markdown',
    70,
    74,
    '# Stores\n\n- [ ] Order rapeseed oil (two barrels)\n- [x] Paint the gallery rail\n\n| Item | Price |\n| --- | --- |\n| Wick | 4.20 |\n| Oil | 180.00 |\n\nSee [[The lamp]] and **the lease**, which ends on 31 March 2031.',
  ],
  [
    'a schema',
    62,
    64,
    '{"name":"read","description":"Read one entity, before you quote or change it.","input_schema":{"type":"object","properties":{"kind":{"type":"string","description":"Kind, as results name it"},"id":{"type":"string","description":"Its id"}},"required":["kind","id"]}}',
  ],
  [
    'a list with ids',
    91,
    90,
    'page 0190a3c4-7e21-7b55-9d3f-2c81a6f0e9b4 “The lamp” (open, due 2026-12-24)\ntask 0190a3c4-81ff-7c02-8a6b-59d0c3e1f7a2 “Paint the gallery rail” (in_progress)',
  ],
  [
    'German',
    48,
    67,
    'Die Dachrinne des Bootshauses wird jedes Jahr im Mai von Hand gereinigt, bevor die Segelsaison beginnt. Der Mietvertrag verlängert sich um zwölf Monate, wenn er nicht drei Monate vor Ablauf gekündigt wird.',
  ],
  [
    'Japanese',
    53,
    70,
    'ボートハウスの雨樋は毎年五月に手作業で掃除します。賃貸契約は、満了の三か月前までに解約されない限り、自動的に延長されます。',
  ],
]

test.each(measured)('%s', (_, openai, anthropic, text) => {
  const tokens = countTokens(text)

  expect(tokens / openai).toBeGreaterThan(0.95)
  expect(tokens / Math.max(openai, anthropic)).toBeLessThan(1.1)
})
