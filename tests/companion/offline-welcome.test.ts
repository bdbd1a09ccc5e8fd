// A newcomer's first half hour: the guide as a Space, questions about it, and the first changes.

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { offlineSpaceFrom } from './offline-space.ts'

const guide = fileURLToPath(new URL('../../docs/guide/', import.meta.url))
const { ask, add, owner } = await offlineSpaceFrom(guide)
const landlord = await add('tasks', { title: 'Call the landlord' })
const cleaning = await add('projects', { title: 'Spring cleaning' })

const others = [
  ['What does the glance look at?', 'Glance'],
  ['How do I connect a mailbox over IMAP?', 'Mail'],
  ['How do I revoke a token?', 'Agents and tokens'],
  ['How do I rotate the master key of secrets?', 'Secrets'],
  ['How do I connect an MCP server as a source?', 'Sources'],
  ['How do I search for an exact phrase?', 'Search'],
  ['How do I open a page in a new tab?', 'Tabs and Activity'],
  ['How do I take a turn with curl?', 'Using curl'],
] as const

describe('a question is answered from the right page, word for word and checked', () => {
  test.each([
    [
      'What does the guide say about approvals?',
      'Pending changes',
      'Approve a change and it is applied at once',
    ],
    ['How do I back up my data?', 'Backing up and your data', 'Copy the whole data folder'],
    ['backup power cut', 'Backing up and your data', 'does not promise to survive a power cut'],
    ['Where is my data stored?', 'Backing up and your data', 'Set `DATA_DIR`'],
    [
      'Can two processes use the same data folder?',
      'Backing up and your data',
      'refuses to start a second one',
    ],
    ['Which Postgres version do I need?', 'Backing up and your data', 'version 15 or newer'],
    ['What is a changeset?', 'Pending changes', 'form a changeset'],
    ['What happens when I reject a change?', 'Pending changes', 'nothing happens to your data'],
    ['What is the inbox?', 'Pending changes', 'the list of all pending changes'],
    ['How do I import my Obsidian vault?', 'Importing notes', 'npm run import -- FOLDER --space SLUG'],
    ['How do I connect Ollama?', 'Connecting a model', 'Ollama and LM Studio are found by themselves'],
    ['Do I need an API key?', 'Connecting a model', 'ANTHROPIC_API_KEY'],
    ['What does an unchecked citation mean?', 'Citations', 'as a claim, not as evidence'],
    ['what is a reference', 'Spaces and kinds', 'a pointer to somebody else'],
    ['How long do deleted things stay in the trash?', 'Spaces and kinds', '30 days'],
    ['How do I write a link between pages?', 'Writing', 'write `[[Name]]`'],
    ['What leaves my machine?', 'Privacy and security', 'Without a model: nothing'],
    ['Is my data encrypted?', 'Privacy and security', 'not encrypted'],
    ['Can an agent approve its own drafts?', 'Agents and tokens', 'cannot approve or reject a draft'],
    ['Can the companion change my notes by itself?', 'The companion', 'cannot change your notes'],
    ['Can the companion see other Spaces?', 'The companion', 'cannot see other Spaces'],
  ])('%s', async (question, page, words) => {
    const { text, citations, drafts, stopReason } = await ask(question)

    expect(text).toContain(words)
    expect(citations.find(({ title }) => title === page)).toMatchObject({ kind: 'page', checked: true })
    expect(citations.every(({ checked }) => checked)).toBe(true)
    expect([drafts, stopReason]).toEqual([[], 'end_turn'])
  })

  test('with the page that answers before any other, but for one', async () => {
    const missed: string[] = []
    for (const [question, page] of others) {
      const { citations } = await ask(question)
      if (citations[0]?.title !== page) missed.push(question)
    }

    expect(missed.length, missed.join(' ')).toBeLessThanOrEqual(1)
  })

  test.each([
    ['When is the rent due?', 'rent'],
    ['What is the capital of France?', 'France'],
    ['Who won the chess match?', 'chess'],
  ])('and where there is no answer, none is made up: %s', async (question, nowhere) => {
    const { text, citations } = await ask(question)

    expect(text).toMatch(new RegExp(`^I found nothing in this Space about .*“${nowhere}”.* Closest:`, 'i'))
    expect(citations.every(({ checked }) => checked)).toBe(true)
  })
})

test('the examples in a greeting are no quotations of anything', async () => {
  const { text, citations } = await ask('hello')

  expect(text).toContain('Create a task')
  expect(citations).toEqual([])
})

describe('a command becomes the right draft, and nothing else happens', () => {
  test.each([
    ['Create a task to call the plumber tomorrow', ['Create task ‘Call the plumber’ (due date 4 Mar 2026)']],
    ['Remind me to water the plants on 15 March', ['Create task ‘Water the plants’ (due date 15 Mar 2026)']],
    ['Add a page called Recipes with: Soups first', ['Create page ‘Recipes’']],
    [
      'Save this link https://example.org/bread as Bread',
      ['Create reference ‘Bread’ (url https://example.org/bread)'],
    ],
    ['Mark Call the landlord as done', ['Change status of task ‘Call the landlord’: open → done']],
    ['Rename Search to Finding things', ['Rename page ‘Search’ to ‘Finding things’']],
    ['Delete the page Using curl', ['Delete page ‘Using curl’']],
    ['Append "See also the manual." to page Citations', ['Change the text of page ‘Citations’']],
    [
      'Create a project Garden with tasks buy seeds and dig the beds',
      ['Create project ‘Garden’', 'Create task ‘Buy seeds’', 'Create task ‘Dig the beds’'],
    ],
  ])('%s', async (command, summaries) => {
    const { text, drafts } = await ask(command)

    expect(drafts).toEqual(summaries)
    expect(text).toContain('nothing has changed yet')
  })

  test('what is open is meant by "this"', async () => {
    const view = { entityType: 'task', entityId: landlord.id }

    expect((await ask('Cancel this task', view)).drafts).toEqual([
      'Change status of task ‘Call the landlord’: open → cancelled',
    ])
  })

  test('a task goes under the project by its name', async () => {
    await ask('Add a task to sweep the attic to project Spring cleaning')
    const { body } = await owner.get('/api/pending-changes?status=pending&limit=1')

    expect(body.items[0].payload).toEqual({ title: 'Sweep the attic', project_id: cleaning.id })
  })
})
