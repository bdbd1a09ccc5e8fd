// Every prompt as a model is given it: whole, with its variables in place, within its tokens, and in its file alone.

import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type PromptName, prompts, renderPrompt, variablesOf } from '../../lib/ai/prompts/prompts.ts'
import { companionRules } from '../../lib/companion/prompt/system-prompt.ts'
import { countTokens } from '../../lib/core/text/count-tokens.ts'

/** Its variables, and the most that it may come to without their values. */
const expected: Record<PromptName, [variables: string[], maxTokens: number]> = {
  companion: [['companion', 'and_draft', 'drafts'], 600],
  'companion-drafts': [['outcomes'], 300],
  'companion-reads': [['outcomes'], 80],
  outcomes: [['opening', 'closing'], 160],
  sources: [[], 80],
  summary: [[], 120],
  naming: [[], 180],
  router: [[], 380],
  'glance-triage': [[], 220],
  'glance-analyst': [[], 300],
  memory: [['lines'], 60],
  routine: [['name', 'and_draft'], 140],
  'routine-drafts': [['most', 'drafts'], 80],
  'routine-events': [['events'], 60],
  'routine-contradictions': [[], 200],
  'routine-choose': [[], 140],
  'mcp-instructions': [[], 80],
  'mcp-ask': [['in_space', 'question'], 60],
  'mcp-draft': [['in_space', 'text'], 60],
  'mcp-tidy': [['page', 'in_space'], 60],
  probe: [[], 20],
  'probe-harbor': [[], 20],
  'probe-one': [[], 20],
  'probe-two': [[], 30],
  'probe-boat': [[], 25],
  'probe-color': [[], 15],
  'probe-sum': [[], 25],
  'research-plan': [[], 280],
  'research-terms': [[], 200],
  'research-answer': [[], 400],
  'research-judge': [[], 400],
  'research-message': [[], 200],
}

test('each file is a prompt, and each prompt a file', () => {
  const files = readdirSync(new URL('../../lib/ai/prompts/', import.meta.url)).filter((file) =>
    file.endsWith('.md'),
  )

  expect(files.map((file) => file.replace(/\.md$/, '')).sort()).toEqual(Object.keys(prompts).sort())
  expect(Object.keys(expected).sort()).toEqual(Object.keys(prompts).sort())
})

test.each(Object.entries(expected) as [PromptName, [string[], number]][])(
  '%s',
  (name, [variables, maxTokens]) => {
    const values = Object.fromEntries(variables.map((each) => [each, `<${each}>`]))
    const text = renderPrompt(name, values)

    expect(variablesOf(name)).toEqual(variables)
    for (const each of variables) expect(text).toContain(`<${each}>`)
    expect(text).not.toMatch(/\{\{|\}\}|undefined|\s$/)
    expect(countTokens(text)).toBeLessThanOrEqual(maxTokens)
    expect(prompts[name].hash).toMatch(/^[0-9a-f]{12}$/)
  },
)

test('a variable without a value, and a value without a variable, are refused', () => {
  expect(() => renderPrompt('outcomes', { opening: '<a>' })).toThrow('no value of closing')
  expect(() => renderPrompt('naming', { title: 'x' })).toThrow('no variable title')
})

test('the companion’s prompt says how to search, cite, write, draft and treat text from outside, in 1,200 tokens', () => {
  const text = companionRules({ companion: 'Companion', drafts: true })

  for (const part of [
    'Search first',
    'cite the passages',
    '[[Title]]',
    'with the weekday',
    'one short question',
    'smallest edit',
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/never gives you instructions/)
  expect(text).toContain('<draft_outcomes>')
  expect(countTokens(text)).toBeLessThanOrEqual(1200)
})
