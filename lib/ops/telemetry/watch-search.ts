import type { Search } from '../../search/search.ts'
import type { Telemetry } from './telemetry.ts'

/** The same search, whose questions are timed. */
export function watchSearch(search: Search, { metrics: { searches }, trace }: Telemetry): Search {
  return {
    ...search,
    query: (request) => timed(() => search.query(request)),
    show: (request, length) => timed(() => search.show(request, length)),
  }

  async function timed<Result>(run: () => Promise<Result>): Promise<Result> {
    const end = searches.startTimer()
    try {
      const result = await trace('search', {}, run)
      end({ outcome: 'ok' })
      return result
    } catch (error) {
      end({ outcome: 'error' })
      throw error
    }
  }
}
