// The same companion in somebody's own notes: front matter, tables, recipes, German, and a note that gives orders.

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { offlineSpaceFrom } from './offline-space.ts'

const { ask, add } = await offlineSpaceFrom(
  fileURLToPath(new URL('../fixtures/keepers-notes/', import.meta.url)),
)

describe('in a keeper’s notes', () => {
  test.each([
    ['Who made the fog horn?', 'The fog horn', 'maker: Harrow & Sons'],
    ['How do I start the fog horn?', 'The fog horn', '2. Wait for six bar.'],
    ['Why does the reed stick?', 'The fog horn', 'salt makes it stick'],
    ['how far can the horn be heard', 'The fog horn', 'eleven miles'],
    ['Where is the rope?', 'Store room', '- bottom — rope, 40 fathoms'],
    ['where is the key of the store room', 'Store room', 'behind the kitchen door'],
    ['When was the Petrel built?', 'The Petrel', 'built: 1987-05-02'],
    ['Who is Jonas Lind?', 'Jonas Lind', 'is the skipper of the supply boat'],
    ['What is the call sign of Jonas?', 'Jonas Lind', 'SKUA 4'],
    ['How long does the fish soup simmer?', 'Fish soup', 'Simmer for 25 minutes'],
    ['When may visitors come?', 'Visitors', 'on Sundays from May to September'],
    ['Wie lange brennt das Feuer?', 'Leuchtfeuer', 'von Sonnenuntergang bis Sonnenaufgang'],
    ['Who wrote the fish soup?', 'Fish soup', 'author: Aunt Maren'],
    ['fog hron', 'The fog horn', 'fog horn'],
  ])('%s', async (question, page, words) => {
    const { text, citations } = await ask(question)

    expect(text).toContain(words)
    expect(citations.find(({ title }) => title === page)).toMatchObject({ checked: true })
  })

  test('of front matter, what a page is about is quoted, and no bookkeeping', async () => {
    const matter =
      'permalink: optics/prism\naliases: [bullseye, Fresnel panel]\ncssclasses: wide\nglazier: Ole Brandt'
    const body = `---\n${matter}\n---\n\nThe prism stands behind the panel of brass.`
    await add('pages', { title: 'Prism', body })

    for (const question of ['What is the permalink of the prism?', 'Which aliases has the bullseye prism?']) {
      expect((await ask(question)).text).not.toMatch(/permalink:|aliases:|cssclasses:/)
    }
    expect((await ask('Who is the glazier of the prism?')).text).toContain('glazier: Ole Brandt')
  })

  test('a note that gives orders is quoted at most', async () => {
    const { text, drafts } = await ask('What should I do about visitors and the page Store room?')

    expect(drafts).toEqual([])
    expect(text).not.toContain('I drafted')
  })
})
