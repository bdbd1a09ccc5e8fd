import { z } from 'zod'
import { ResearchDepth } from '../../../contract/research.ts'
import { cleanText } from '../../../core/text/clean.ts'
import type { ResearchPassage, ResearchProgress } from '../agent-research.ts'
import type { Tool } from '../registry.ts'

type Input = {
  question?: string | undefined
  depth?: ResearchDepth | undefined
  id?: string | undefined
  after?: number | undefined
}
type Result = ResearchProgress | { id: string; passages: ResearchPassage[]; more: boolean }

/** Passages returned at once, and characters of each. */
const maxPassages = 8
const maxText = 1500

/** Starts research for an external agent, and reports how far it has come and what it rests on. */
export const researchTool: Tool<Input, Result> = {
  name: 'research',
  title: 'Research a question',
  offered: 'agents',
  description:
    'Answer a hard question in stages from this Space, each claim checked. It takes minutes and uses the budget that the ' +
    'owner gave you; for a simple question use search. question: starts a run and returns its id. id: status and, when ' +
    'done, the answer. id and after: the passages behind it.',
  input: z.object({
    question: z.string().overwrite(cleanText).trim().min(1).max(4000).optional().describe('Starts a run'),
    depth: ResearchDepth.optional().describe('Default: quick'),
    id: z.uuid().optional().describe('Id of a run that you started'),
    after: z.int().min(0).optional().describe('List passages after this number; 0: from the first'),
  }),
  names: { q: 'question', query: 'question', run_id: 'id', research_id: 'id' },
  check: ({ question, id, after }) => {
    const isOne = (question === undefined) !== (id === undefined)
    const problems = [
      ...(isOne ? [] : ['question: send either a question, to start, or the id of a run.']),
      ...(after !== undefined && id === undefined ? ['after: needs the id of a run.'] : []),
    ]
    return { problems, corrected: null }
  },
  capability: 'read',
  actionClass: 'navigational',
  async handler({ question, depth = 'quick', id, after }, { services: { research }, actor, space_id }) {
    if (!research) return { error: 'Research is not available here.' }
    if (question !== undefined) return await research.start(actor, { space_id, question, depth })
    if (id === undefined) return { error: 'id is missing.' }
    if (after === undefined) return await research.find(actor, { space_id, id })
    const found = await research.listPassages(actor, { space_id, id, after, limit: maxPassages + 1 })
    const passages = found
      .slice(0, maxPassages)
      .map(({ text, ...rest }) => ({ ...rest, text: text.slice(0, maxText).toWellFormed() }))
    return { id, passages, more: found.length > maxPassages }
  },
  structured: {
    schema: z.looseObject({ id: z.string() }),
    of: (result) => result,
  },
  summarize: (result) => ('passages' in result ? `${result.passages.length} passages` : result.status),
}
