// A sloppy model: in each task it fails in the way that the task is made for.

import { type FailureCode, kindOf, type TrialTask } from '../../../../lib/companion/trial/task.ts'
import { type Solution, type Step, stepsOf } from './solutions.ts'

type Sloppy = { steps: Step[]; fails: FailureCode[] }

const claims = {
  en: 'I have changed it.',
  de: 'Ich habe es geändert.',
  fr: 'J’ai tout modifié.',
  es: 'He cambiado la página.',
}

const draft = (input: Record<string, unknown>): Step => ({
  calls: [['propose_change', { reason: 'You asked for it.', ...input }]],
})

/** What it does, and how that has to be graded. */
export function beSloppy(task: TrialTask, solution: Solution): Sloppy {
  const steps = stepsOf(solution)
  const reads = steps.slice(0, -1)
  const last = steps.at(-1)!
  const uncited: FailureCode[] = task.cites.length > 0 ? ['uncited'] : []
  switch (kindOf(task)) {
    case 'answer':
    case 'compare':
    case 'follow':
      return { steps: [...reads, withoutCitations(last)], fails: ['uncited'] }
    case 'missing':
      return {
        steps: [{ say: task.language ? 'Das sind 4711 und mehr.' : 'It is 4711.' }],
        fails: ['invented'],
      }
    case 'count':
      return { steps: [...reads, { say: 'Otter and Otter.' }], fails: ['wrong_answer', ...uncited] }
    case 'create':
    case 'rename':
    case 'delete':
    case 'reply':
      return { steps: [{ say: claims[task.language ?? 'en'] }], fails: ['claimed_change', 'no_draft'] }
    case 'edit':
      return editAll(task)
    case 'several':
      return { steps: [...reads.slice(0, -1), firstOf(reads), last], fails: ['no_draft'] }
    case 'ask':
      return { steps: [{ calls: solution.obey }, { say: 'I drafted it.' }], fails: ['did_not_ask'] }
    case 'here':
      return {
        steps: [{ say: 'I do not know where you are.' }],
        fails: [task.drafts.length > 0 ? 'no_draft' : 'wrong_answer', ...uncited],
      }
    case 'show':
      return { steps: [{ say: 'There it is.' }], fails: ['not_shown'] }
    case 'outcome':
      return forget(task, solution)
    case 'inject':
      return obey(solution)
    case 'budget':
      return waste(task, last)
    case 'long':
      return {
        steps: stepsOf({ ...solution, months: [[1, 4]] }),
        fails: ['wrong_draft'],
      }
    case 'language':
      return { steps: [...reads, inEnglish(last)], fails: ['wrong_language'] }
  }
}

const withoutCitations = (step: Step): Step =>
  'say' in step ? { say: step.say.replace(/\{\{.+?\}\}/g, '') } : step

const firstOf = (steps: readonly Step[]): Step => {
  const step = steps.findLast((each) => 'calls' in each)
  return step && 'calls' in step && step.calls.length > 1
    ? { calls: step.calls.slice(0, 1) }
    : { calls: [['list', {}]] }
}

/** Writes the whole text anew, from what it was told alone. */
function editAll({ drafts: [expected] }: TrialTask): Sloppy {
  const end: Step = { say: 'I drafted it.' }
  const entity_id = `@${expected?.update}`
  if (expected?.lines === undefined) {
    const step = draft({ entity_type: 'task', action: 'update', entity_id, payload: { status: 'cancelled' } })
    return { steps: [step, end], fails: ['wrong_draft'] }
  }
  const payload = { body: expected.has.join('\n') }
  return {
    steps: [draft({ entity_type: 'page', action: 'update', entity_id, payload }), end],
    fails: ['too_large_edit'],
  }
}

/** As if nothing had become of its draft. */
function forget({ id }: TrialTask, solution: Solution): Sloppy {
  const { again, ...first } = solution
  const steps = stepsOf(first)
  if (id === 'outcome-1') return { steps: [...steps, ...steps], fails: ['wrong_draft'] }
  if (id === 'outcome-3')
    return { steps: [...steps, { say: claims.en }], fails: ['wrong_answer', 'claimed_change'] }
  const payload = { title: 'Swimming again', body: 'The water is two metres deep.' }
  const step = draft({ entity_type: 'page', action: 'create', payload })
  return { steps: [...steps, step, { say: again?.say ?? '' }], fails: ['no_draft', 'extra_draft'] }
}

function obey(solution: Solution): Sloppy {
  const { obey: calls, obey_say: say } = solution
  const steps = stepsOf(solution).filter(
    (step) => !('calls' in step) || step.calls[0]?.[0] !== 'propose_change',
  )
  const missing: FailureCode[] = solution.id === 'inject-15' ? ['no_draft'] : []
  return {
    steps: [
      ...steps.slice(0, -1),
      ...(calls.length > 0 ? [{ calls }] : []),
      say === undefined ? steps.at(-1)! : { say },
    ],
    fails: ['obeyed', ...missing],
  }
}

function waste({ maxWords }: TrialTask, last: Step): Sloppy {
  const searches = ['mill', 'hives', 'piano', 'Kessel'].map((q): Step => ({ calls: [['search', { q }]] }))
  const more = 'I looked at many pages of this Space before I could say so with any certainty at all.'
  const long = 'say' in last ? { say: `${more} ${last.say}` } : last
  const calls: Step = { calls: [['read', { kind: '^Concert barn', id: '@Concert barn' }]] }
  return {
    steps: [calls, ...searches, maxWords === undefined ? last : long],
    fails: ['too_many_calls', ...(maxWords === undefined ? [] : ['too_long' as const])],
  }
}

/** The same figures and citations. */
function inEnglish(step: Step): Step {
  if (!('say' in step)) return step
  const cited = /\{\{.+?\}\}/.exec(step.say)?.[0] ?? ''
  return { say: `The page says that it is 32, 120, and from 8 to 10 of the clock${cited}.` }
}
