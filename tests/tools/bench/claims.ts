import { verifyClaims } from '../../../lib/companion/research/check/verify-claims.ts'
import type { Claim, Passage } from '../../../lib/companion/research/verify/types.ts'
import type { Figure, Measurement } from './measurement.ts'
import { createProse } from './prose.ts'
import { percentile } from './statistics.ts'

const claimCount = 60
const passageCount = 200
const runs = 15
const bound = { kind: 'at most', value: 100 } as const

/** What a research run waits for between its answer and its page. */
export const claims: Measurement = {
  name: 'claims',
  about: `whether the passages that an answer cites say what it says: ${claimCount} claims, ${passageCount} passages`,
  async run() {
    const { answer, ledger } = makeAnswer()
    const judgements = answer.map(({ id, cites }) => ({
      id,
      verdict: 'supported' as const,
      sentences: [ledger.find(({ n }) => n === cites[0])!.text.split('. ')[0]!],
      missing: '',
    }))
    const times: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const started = performance.now()
      verifyClaims({ claims: answer, ledger, judgements })
      times.push(performance.now() - started)
    }
    return [
      { name: 'verification, p50', unit: 'ms', value: percentile(times, 0.5), bound },
      { name: 'verification, slowest', unit: 'ms', value: Math.max(...times) },
    ] satisfies Figure[]
  },
}

/** Claims that are sentences of the passages, a third of them with other words, a third citing the wrong passage. */
function makeAnswer(): { answer: Claim[]; ledger: Passage[] } {
  const prose = createProse(11)
  const ledger = Array.from({ length: passageCount }, (_, at): Passage => {
    const { title, body } = prose.page(prose.words(3).join(' '))
    return { n: String(at + 1), title, text: body.slice(0, 1200) }
  })
  const answer = Array.from({ length: claimCount }, (_, at): Claim => {
    const source = prose.below(passageCount)
    const sentence = ledger[source]!.text.split('. ')[0]!.replace(/^#+ /, '')
    const text = at % 3 === 1 ? `${sentence} ${prose.words(5).join(' ')} in ${1900 + at}.` : `${sentence}.`
    const cited = at % 3 === 2 ? prose.below(passageCount) : source
    return { id: String(at), text, cites: [String(cited + 1), String(prose.below(passageCount) + 1)] }
  })
  return { answer, ledger }
}
