import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { createProse, type MadePage, makePages } from './prose.ts'
import { asOwner, makeDataFolder, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const sizes = [1000, 10_000]
const warmUps = 20
const questions = 200

/** Questions over HTTP, one at a time, each of words that stand together in a page. */
export const search: Measurement = {
  name: 'search',
  about:
    'questions over HTTP; beside a look through all pages in memory that counts the words of the question',
  async run(log) {
    const figures: Figure[] = []
    for (const size of sizes) {
      log(`filling a Space with ${size} pages, then ${questions} questions`)
      figures.push(...(await measure(makePages(size))))
    }
    return figures
  },
}

async function measure(pages: readonly MadePage[]): Promise<Figure[]> {
  const data = makeDataFolder()
  try {
    const store = await openStore(data.folder)
    const spaceId = await store.importPages(pages)
    await store.deps.search.maintain()
    await store.close()
    const server = await startVoid(data.folder)
    const asked = questionsFrom(pages)
    const scanned = asked.map((question) => scan(pages, question))
    const times: number[] = []
    for (const question of asked)
      times.push(await ask(`${server.url}/api/search?space_id=${spaceId}`, question))
    await server.stop()
    return [0.5, 0.95].map((part) => ({
      name: `${pages.length} pages, p${part * 100}`,
      unit: 'ms',
      value: percentile(times.slice(warmUps), part),
      baseline: percentile(scanned.slice(warmUps), part),
    }))
  } finally {
    data.remove()
  }
}

function questionsFrom(pages: readonly MadePage[]): string[] {
  const prose = createProse(99)
  return Array.from({ length: warmUps + questions }, () => {
    const words = pages[prose.below(pages.length)]!.body.match(/\w+/g) ?? []
    const from = prose.below(Math.max(1, words.length - 6))
    return words.slice(from, from + 3 + prose.below(4)).join(' ')
  })
}

async function ask(url: string, question: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${url}&q=${encodeURIComponent(question)}`, { headers: asOwner })
  const text = await response.text()
  const elapsed = performance.now() - started
  if (!text.includes('"title"')) throw new Error(`Nothing was found for “${question}”`)
  return elapsed
}

/** The simplest search there is: how many of the words stand in each page, the best ten. */
function scan(pages: readonly MadePage[], question: string): number {
  const started = performance.now()
  const words = question.toLowerCase().split(' ')
  pages
    .map((page) => {
      const text = page.body.toLowerCase()
      return { page, score: words.filter((word) => text.includes(word)).length }
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
  return performance.now() - started
}
